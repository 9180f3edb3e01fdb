#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.memory-bound";
constexpr Wording kWording = {N_("The memory of the GPU is what bounds it"),
                              N_("Its memory was read or written nearly all the time."),
                              N_("A hint: this share counts time, not bytes. Profile the kernels."),
                              N_("Fuse kernels, use smaller types, avoid re-reading."),
                              "nvidia-smi dmon -s pucm -c 30"};

}  // namespace

RuleResult GpuMemoryBound(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsBusy(policy.gpu).value_or(false)) continue;
    const std::optional<double> memory = gpu.Number(FactId::kGpuMemoryUtilization);
    if (!memory || *memory < policy.gpu.memory_busy) continue;
    if (LogSaysStarved(facts)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    SetBound(finding, facts, gpu, *memory / 100, Confidence::kLow);
    CiteMoment(finding, gpu,
               {FactId::kGpuMemoryUtilization, FactId::kGpuUtilization, FactId::kGpuPower,
                FactId::kGpuPowerLimit, FactId::kGpuMemoryClock});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
