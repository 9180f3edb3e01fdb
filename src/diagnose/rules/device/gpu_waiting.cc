#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.waiting";
constexpr Wording kWording = {
    N_("The GPU waits for most of the time"),
    N_("A job holds its memory, but kernels ran for less than half of the time."),
    N_("Something else feeds it too slowly; its own figures do not show what."),
    N_("Look at the loaders, the CPUs and the storage while the job runs."),
    "gpuwhy diagnose --pid PID"};

}  // namespace

RuleResult GpuWaiting(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> load = gpu.Number(FactId::kGpuUtilization);
    if (!load || *load < policy.gpu.waiting_from || *load >= policy.gpu.waiting_to) continue;
    const Fact* engine = gpu.BusiestEngine();
    if (engine != nullptr && engine->Number() > *load) continue;
    if (gpu.IsOn(FactId::kGpuDisplay) || IsMig(gpu, facts)) continue;
    if (gpu.Number(FactId::kGpuMemoryUsed).value_or(0) < policy.gpu.held_memory) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuUtilization, FactId::kGpuSmClock, FactId::kGpuPower,
                FactId::kGpuMemoryUsed, FactId::kGpuPcieRx, FactId::kGpuMemoryUtilization});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
