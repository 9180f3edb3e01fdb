#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.idle";
constexpr Wording kWording = {N_("The clocks are low because nothing runs"),
                              N_("An idle GPU lowers its clocks. That is no throttling."),
                              N_("Leave it."), N_("Look again while the job runs."),
                              "nvidia-smi -q -d PERFORMANCE"};

}  // namespace

RuleResult ClockIdle(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsOn(FactId::kGpuReasonIdle)) continue;
    if (!gpu.IsIdle(policy.gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu,
               {FactId::kGpuReasonIdle, FactId::kGpuSmClock, FactId::kGpuMaxSmClock,
                FactId::kGpuUtilization, FactId::kGpuPstate});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
