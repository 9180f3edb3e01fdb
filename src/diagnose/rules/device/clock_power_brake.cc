#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.power-brake";
constexpr Wording kWording = {
    N_("A power brake from outside holds the GPU down"),
    N_("The supply or the chassis asks the board to halve its clocks, whatever its own limits "
       "say."),
    N_("Take the node out of service; nothing in the job can mend it."),
    N_("Check power supplies, their redundancy and the rack budget in the BMC log."),
    "nvidia-smi -q -d PERFORMANCE"};

}  // namespace

RuleResult ClockPowerBrake(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsOn(FactId::kGpuReasonPowerBrake)) continue;
    if (IsAtFullClock(gpu, policy.gpu) || IsBrakeWithoutSlowdown(gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu,
               {FactId::kGpuReasonPowerBrake, FactId::kGpuReasonHwSlowdown, FactId::kGpuPower,
                FactId::kGpuPowerLimit, FactId::kGpuSmClock, FactId::kGpuMaxSmClock});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
