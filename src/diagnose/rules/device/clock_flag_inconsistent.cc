#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.flag-inconsistent";
constexpr Wording kWording = {
    N_("Flag or counter of the power cap does not fit the power"),
    N_("The flag or its counter says that power holds the clocks, but the board draws far less "
       "than its limit. Drivers do so on boards with little load."),
    N_("Ignore the flag and the counter."), N_("Judge by power against the limit under load."),
    "nvidia-smi -q -d POWER,PERFORMANCE"};

}  // namespace

RuleResult ClockFlagInconsistent(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  const std::vector<GpuMoment> moments = GpuMoments(facts);
  for (const GpuMoment& gpu : moments) {
    const std::optional<double> power = gpu.PowerShare();
    const bool flagged = gpu.IsOn(FactId::kGpuReasonPowerCap);
    const bool far = power && *power < policy.gpu.low_power;
    if (far && !flagged && CounterGrew(gpu, moments)) {
      Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
      finding.severity = Severity::kInfo;
      finding.confidence = Confidence::kMedium;
      CiteMoment(finding, gpu,
                 {FactId::kGpuCounterPowerCap, FactId::kGpuReasonPowerCap, FactId::kGpuPower,
                  FactId::kGpuPowerLimit});
      result.findings.push_back(std::move(finding));
      continue;
    }
    // The driver also sets the flag on idle boards whose clocks it keeps low.
    if (!flagged || !(far || (gpu.IsIdle(policy.gpu) && !gpu.IsBusy(policy.gpu).value_or(false)))) {
      continue;
    }
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuReasonPowerCap, FactId::kGpuPower, FactId::kGpuPowerLimit,
                FactId::kGpuUtilization, FactId::kGpuPstate});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
