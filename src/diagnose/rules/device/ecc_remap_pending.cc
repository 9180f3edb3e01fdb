#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "ecc.remap-pending";
constexpr Wording kWording = {N_("A faulty part of memory waits for a reset"),
                              N_("The driver found bad memory and takes it out of use at the next "
                                 "reset; until then it stays in use."),
                              N_("Drain the node and reset the GPU soon."),
                              N_("nvidia-smi -r -i GPU with nothing running on it, or reboot."),
                              "nvidia-smi -q -d ROW_REMAPPER,PAGE_RETIREMENT"};

}  // namespace

RuleResult EccRemapPending(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const bool remap = gpu.IsOn(FactId::kGpuRemapPending);
    if (!remap && !gpu.IsOn(FactId::kGpuRetiredPending)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu,
               {FactId::kGpuRemapPending, FactId::kGpuRetiredPending, FactId::kGpuRemapCorrectable,
                FactId::kGpuRemapUncorrectable, FactId::kGpuRetiredSingle,
                FactId::kGpuRetiredDouble, FactId::kGpuEccVolatileUncorrected});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
