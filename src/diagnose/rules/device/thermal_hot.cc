#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "thermal.hot";
constexpr Wording kWording = {N_("The GPU is close to its thermal limit"),
                              N_("It has only a few degrees left before it slows down."),
                              N_("Watch it; it is no slowdown yet."),
                              N_("Check air flow and the temperature of the neighbours."),
                              "nvidia-smi -q -d TEMPERATURE"};

}  // namespace

RuleResult ThermalHot(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> now = gpu.Number(FactId::kGpuTemperature);
    const std::optional<double> slowdown = gpu.Number(FactId::kGpuTemperatureSlowdown);
    const std::optional<double> margin = gpu.Number(FactId::kGpuTemperatureMargin);
    const bool near_limit = now && slowdown && *slowdown - *now <= policy.gpu.thermal_margin;
    const bool little_left = margin && *margin <= policy.gpu.thermal_margin;
    if (!near_limit && !little_left) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuTemperature, FactId::kGpuTemperatureSlowdown,
                FactId::kGpuTemperatureMargin, FactId::kGpuFan});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
