#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.thermal";
constexpr Wording kWording = {
    N_("Heat holds the clocks down"),
    N_("The driver or the hardware lowers the clocks of this GPU now because it or its memory is "
       "too hot."),
    N_("Mend the cooling; compare with its neighbours."),
    N_("Check fans, dust, air flow, inlet temperature and the power of neighbouring boards."),
    "nvidia-smi -q -d TEMPERATURE,PERFORMANCE"};

}  // namespace

RuleResult ClockThermal(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const bool hardware = gpu.IsOn(FactId::kGpuReasonHwThermal);
    if (!hardware && !gpu.IsOn(FactId::kGpuReasonSwThermal)) continue;
    if (IsAtFullClock(gpu, policy.gpu) || IsColdThermalFlag(gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kHigh;
    if (hardware) finding.severity = Severity::kCritical;
    CiteMoment(finding, gpu,
               {FactId::kGpuReasonHwThermal, FactId::kGpuReasonSwThermal, FactId::kGpuTemperature,
                FactId::kGpuTemperatureMargin, FactId::kGpuSmClock, FactId::kGpuMaxSmClock,
                FactId::kGpuFan});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
