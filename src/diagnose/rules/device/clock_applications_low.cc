#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.applications-low";
constexpr Wording kWording = {N_("Application clocks hold the GPU down"),
                              N_("The clocks were set lower than the GPU could run."),
                              N_("Ask who set them; on some sites it is done on purpose."),
                              N_("nvidia-smi -rac (reset application clocks), as root."),
                              "nvidia-smi -q -d CLOCK"};

}  // namespace

RuleResult ClockApplicationsLow(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsOn(FactId::kGpuReasonApplications) || gpu.IsIdle(policy.gpu)) continue;
    const std::optional<double> set = gpu.Number(FactId::kGpuAppSmClock);
    const std::optional<double> made_for = gpu.Number(FactId::kGpuDefaultSmClock);
    const std::optional<double> most = gpu.Number(FactId::kGpuMaxSmClock);
    const bool below_default = set && made_for && *set < policy.gpu.lowered * *made_for;
    const bool below_most = set && most && *set < policy.gpu.lowered * *most;
    if (!below_default && !(below_most && gpu.IsBusy(policy.gpu).value_or(false))) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuReasonApplications, FactId::kGpuAppSmClock, FactId::kGpuDefaultSmClock,
                FactId::kGpuSmClock, FactId::kGpuMaxSmClock, FactId::kGpuUtilization});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
