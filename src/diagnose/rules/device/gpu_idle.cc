#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.idle";
constexpr Wording kWording = {N_("The GPU is idle"),
                              N_("Nothing computes on it and it holds no memory to speak of."),
                              N_("If a job should be running, look at the job, not at the GPU."),
                              N_("Look again while the job runs."), "nvidia-smi"};

}  // namespace

RuleResult GpuIdle(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  const std::vector<GpuMoment> moments = GpuMoments(facts);
  for (const GpuMoment& gpu : moments) {
    const std::optional<double> load = gpu.Number(FactId::kGpuUtilization);
    if (!load || *load > policy.gpu.idle || !gpu.IsIdle(policy.gpu)) continue;
    if (gpu.Number(FactId::kGpuMemoryUsed).value_or(0) >= policy.gpu.held_memory) continue;
    if (gpu.Number(FactId::kGpuComputeProcesses).value_or(0) > 0 || IsMig(gpu, facts)) continue;
    if (IsBusyElsewhere(gpu, moments, policy.gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kHigh;
    CiteMoment(
        finding, gpu,
        {FactId::kGpuUtilization, FactId::kGpuMemoryUsed, FactId::kGpuMemoryTotal,
         FactId::kGpuPower, FactId::kGpuPstate, FactId::kGpuComputeProcesses, FactId::kGpuSmClock});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
