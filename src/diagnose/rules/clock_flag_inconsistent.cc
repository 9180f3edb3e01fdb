#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/gpu_moment.h"
#include "diagnose/rules/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.flag-inconsistent";
constexpr Wording kWording = {
    N_("The power-cap flag is set far below the limit"),
    N_("The flag says that power holds the clocks, but the board draws far less than its limit. Drivers set it so on idle boards."),
    N_("Ignore the flag."),
    N_("Judge by power against the limit under load."),
    "nvidia-smi -q -d POWER,PERFORMANCE"};

}  // namespace

RuleResult ClockFlagInconsistent(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> power = gpu.PowerShare();
    const bool flagged = gpu.IsOn(FactId::kGpuReasonPowerCap);
    const bool far = power && *power < policy.gpu.low_power;
    // The driver also sets the flag on idle boards whose clocks it keeps low.
    if (!flagged || !(far || (gpu.IsIdle(policy.gpu) && !gpu.IsBusy(policy.gpu).value_or(false)))) {
      continue;
    }
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu, {FactId::kGpuReasonPowerCap, FactId::kGpuPower, FactId::kGpuPowerLimit, FactId::kGpuUtilization, FactId::kGpuPstate});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
