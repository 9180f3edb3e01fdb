#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.utilization-stale";
constexpr Wording kWording = {N_("The utilization is not of a job"),
                              N_("It reads high, but no process, no memory and no power go with "
                                 "it: it is left from the driver waking up for the question."),
                              N_("Ignore it."), N_("Turn persistence mode on and ask again."),
                              "nvidia-smi -q -d UTILIZATION"};

}  // namespace

RuleResult GpuUtilizationStale(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.HasStaleUtilization(policy.gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(
        finding, gpu,
        {FactId::kGpuUtilization, FactId::kGpuComputeProcesses, FactId::kGpuMemoryUsed,
         FactId::kGpuPower, FactId::kGpuPowerLimit, FactId::kGpuPstate, FactId::kGpuPersistence});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
