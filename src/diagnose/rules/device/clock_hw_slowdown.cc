#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.hw-slowdown";
constexpr Wording kWording = {
    N_("The hardware slows the GPU down"),
    N_("The hardware halved the clocks and does not say whether by heat or by power."),
    N_("Look again within a minute: the flag also shows for a moment while clocks change."),
    N_("Check cooling and power supply of the node."), "nvidia-smi -q -d PERFORMANCE"};

}  // namespace

RuleResult ClockHwSlowdown(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsOn(FactId::kGpuReasonHwSlowdown) || gpu.IsIdle(policy.gpu)) continue;
    if (gpu.IsOn(FactId::kGpuReasonPowerBrake) || gpu.IsOn(FactId::kGpuReasonHwThermal)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kMedium;
    CiteMoment(
        finding, gpu,
        {FactId::kGpuReasonHwSlowdown, FactId::kGpuReasonHwThermal, FactId::kGpuReasonPowerBrake,
         FactId::kGpuSmClock, FactId::kGpuMaxSmClock, FactId::kGpuTemperature, FactId::kGpuPower});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
