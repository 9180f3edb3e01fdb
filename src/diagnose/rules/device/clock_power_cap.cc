#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.power-cap";
constexpr Wording kWording = {
    N_("The GPU runs at its power limit"),
    N_("Its clocks are held so that it stays inside the power limit. It works as designed; this is "
       "what bounds it."),
    N_("Normal under full load. Judge the job by its step time."),
    N_("Raise the limit only if the board, its supply and its cooling allow it; else use less "
       "power per step (lower precision, fused kernels)."),
    "nvidia-smi -q -d POWER,PERFORMANCE"};

}  // namespace

RuleResult ClockPowerCap(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!IsHeldByPower(gpu, policy.gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kHigh;
    const std::optional<double> load = gpu.Number(FactId::kGpuUtilization);
    finding.bound = load ? *load / 100 : 1.0;
    if (!gpu.PowerShare() || !load) finding.confidence = Confidence::kLow;
    CiteMoment(finding, gpu,
               {FactId::kGpuPower, FactId::kGpuPowerLimit, FactId::kGpuReasonPowerCap,
                FactId::kGpuUtilization, FactId::kGpuSmClock, FactId::kGpuMaxSmClock,
                FactId::kGpuTemperature});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
