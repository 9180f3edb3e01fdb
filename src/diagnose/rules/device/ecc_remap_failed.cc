#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "ecc.remap-failed";
constexpr Wording kWording = {N_("A faulty part of memory could not be replaced"),
                              N_("The GPU has no spare rows left for it."), N_("Replace the GPU."),
                              N_("Open a case with the vendor."), "nvidia-smi -q -d ROW_REMAPPER"};

constexpr StatedClaim kStated{
    "ecc.remap-failed",
    Severity::kCritical,
    Confidence::kHigh,
    N_("A GPU has no spare memory row left"),
    N_("A faulty row could not be remapped: the memory has a fault that stays."),
    N_("Replace the board."),
    N_("Drain the node and return the board."),
    "nvidia-smi -q -d ROW_REMAPPER"};

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
  AddStated(kStated, AllOf(facts, {FactId::kSaidXidRemapFailed}), result);
  return result;
}

}  // namespace gpuwhy
