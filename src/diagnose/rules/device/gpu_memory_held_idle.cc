#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.memory-held-idle";
constexpr Wording kWording = {N_("Memory is held while nothing computes"),
                              N_("A process holds device memory, and no kernel ran in the sample."),
                              N_("One sample: between two steps, waiting for data, a server "
                                 "without requests, or stuck. Look twice."),
                              N_("Sample for ten seconds, then look at the process."),
                              "nvidia-smi dmon -c 10"};

}  // namespace

RuleResult GpuMemoryHeldIdle(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> load = gpu.Number(FactId::kGpuUtilization);
    if (!load || *load > policy.gpu.idle || !gpu.IsIdle(policy.gpu)) continue;
    if (gpu.Number(FactId::kGpuMemoryUsed).value_or(0) < policy.gpu.held_memory) continue;
    const std::optional<double> used = gpu.Number(FactId::kGpuMemoryUsed);
    const std::optional<double> total = gpu.Number(FactId::kGpuMemoryTotal);
    if (used && total && *used < policy.gpu.held_share * *total) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuMemoryUsed, FactId::kGpuMemoryTotal, FactId::kGpuUtilization,
                FactId::kGpuPower, FactId::kGpuPstate, FactId::kGpuComputeProcesses,
                FactId::kGpuProcessMemory, FactId::kGpuSmClock});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
