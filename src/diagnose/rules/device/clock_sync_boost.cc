#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.sync-boost";
constexpr Wording kWording = {
    N_("The slowest GPU of its group holds the clock"),
    N_("The GPUs are tied to one clock, and another one of the group runs lower."),
    N_("Look at the other GPUs of the group."),
    N_("Find the member that is held back, or take the group apart."),
    "nvidia-smi -q -d PERFORMANCE"};

}  // namespace

RuleResult ClockSyncBoost(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsOn(FactId::kGpuReasonSyncBoost) || gpu.IsIdle(policy.gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuReasonSyncBoost, FactId::kGpuSmClock, FactId::kGpuMaxSmClock});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
