#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "thermal.history";
constexpr Wording kWording = {N_("Heat slowed the GPU before"),
                              N_("Since the driver was loaded it was slowed by heat for a while. "
                                 "Whether that goes on only the growth of the counters tells."),
                              N_("Read the counters twice while the job runs."),
                              N_("If they grow, mend the cooling."),
                              "nvidia-smi -q -d PERFORMANCE"};

}  // namespace

RuleResult ThermalHistory(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const double software = gpu.Number(FactId::kGpuCounterSwThermal).value_or(0);
    const double hardware = gpu.Number(FactId::kGpuCounterHwThermal).value_or(0);
    if (software + hardware < policy.gpu.thermal_seconds) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuCounterSwThermal, FactId::kGpuCounterHwThermal,
                FactId::kGpuReasonSwThermal, FactId::kGpuReasonHwThermal, FactId::kGpuTemperature});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
