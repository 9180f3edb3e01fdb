#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.power-limit-lowered";
constexpr Wording kWording = {
    N_("The power limit is set below the default"),
    N_("Somebody or a service set the limit lower than the board was made for; under load the "
       "clocks stay lower."),
    N_("Ask who lowered it and why before raising it."),
    N_("nvidia-smi -i GPU -pl DEFAULT, as root, and make it last over a reboot."),
    "nvidia-smi -q -d POWER"};

}  // namespace

RuleResult ClockPowerLimitLowered(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> limit = gpu.Number(FactId::kGpuPowerLimit);
    const std::optional<double> made_for = gpu.Number(FactId::kGpuPowerLimitDefault);
    if (!limit || !made_for || *limit >= policy.gpu.lowered * *made_for) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kHigh;
    // A lowered limit that is not reached costs nothing now.
    const std::optional<double> share = gpu.PowerShare();
    if (share && *share < policy.gpu.low_power) finding.severity = Severity::kInfo;
    CiteMoment(finding, gpu,
               {FactId::kGpuPowerLimit, FactId::kGpuPowerLimitDefault, FactId::kGpuPower,
                FactId::kGpuUtilization, FactId::kGpuReasonPowerCap});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
