#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/gpu_moment.h"
#include "diagnose/rules/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "ecc.remap-failed";
constexpr Wording kWording = {N_("A faulty part of memory could not be replaced"),
                              N_("The GPU has no spare rows left for it."), N_("Replace the GPU."),
                              N_("Open a case with the vendor."), "nvidia-smi -q -d ROW_REMAPPER"};

}  // namespace

RuleResult EccRemapFailed(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsOn(FactId::kGpuRemapFailed)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kHigh;
    CiteMoment(
        finding, gpu,
        {FactId::kGpuRemapFailed, FactId::kGpuRemapCorrectable, FactId::kGpuRemapUncorrectable});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
