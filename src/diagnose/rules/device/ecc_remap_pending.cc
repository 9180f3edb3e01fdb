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

constexpr std::string_view kId = "ecc.remap-pending";
constexpr Wording kWording = {N_("A faulty part of memory waits for a reset"),
                              N_("The driver found bad memory and takes it out of use at the next "
                                 "reset; until then it stays in use."),
                              N_("Drain the node and reset the GPU soon."),
                              N_("nvidia-smi -r -i GPU with nothing running on it, or reboot."),
                              "nvidia-smi -q -d ROW_REMAPPER,PAGE_RETIREMENT"};

constexpr StatedClaim kStated{
    "ecc.remap-pending",
    Severity::kWarning,
    Confidence::kMedium,
    N_("A faulty part of memory waits for a reset"),
    N_("The driver found bad memory and takes it out of use at the next reset; until then it stays "
       "in use."),
    N_("Drain the node and reset the GPU soon."),
    N_("nvidia-smi -r -i GPU with nothing running on it, or reboot."),
    "nvidia-smi -q -d ROW_REMAPPER,PAGE_RETIREMENT"};

/// The state of now, where it was read, is newer than a message.
bool StateIsKnown(const GpuMoment& gpu) {
  return gpu.Flag(FactId::kGpuRemapPending).has_value() ||
         gpu.Flag(FactId::kGpuRetiredPending).has_value();
}

}  // namespace

RuleResult EccRemapPending(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  bool known = false;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    known = known || StateIsKnown(gpu);
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
  const std::vector<const Fact*> said = SaidOf(facts, "xid.remap-pending", {});
  if (known && result.findings.empty()) return result;
  // Where no row is left, nothing waits for a reset.
  if (!Has(facts, FactId::kSaidXidRemapFailed)) AddStated(kStated, said, result);
  return result;
}

}  // namespace gpuwhy
