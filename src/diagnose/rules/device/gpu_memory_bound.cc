#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
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

constexpr Wording kCounted = {
    N_("The memory of the GPU is what bounds it"),
    N_("The GPU's own counters say that most of its memory's bandwidth was in use."),
    N_("More compute would not help; fewer or smaller bytes would."),
    N_("Fuse kernels, use smaller types, avoid re-reading. Profile the kernels with most traffic."),
    "nvidia-smi dmon --gpm-metrics 2,5,10 -c 30"};

/// A watched GPU whose driver was asked for its own counters and has none.
Unknown NoCounters(const GpuMoment& gpu, const Missing& missing) {
  Unknown unknown;
  unknown.what = Format(_("how much of its memory's bandwidth {} uses"), Printable(gpu.Of().id));
  unknown.why = WhyText(missing.why) + ": " + Printable(missing.detail);
  unknown.how = _("GPUs before Hopper count it for a profiler only: dcgmi dmon -e 1005, or ncu");
  unknown.hides = {std::string(kId)};
  return unknown;
}

}  // namespace

RuleResult GpuMemoryBound(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsBusy(policy.gpu).value_or(false)) continue;
    const std::optional<double> memory = gpu.Number(FactId::kGpuMemoryUtilization);
    const Fact* asked = facts.Find(FactId::kGpuDramActive, gpu.Of());
    const std::optional<double> counted = gpu.Number(FactId::kGpuDramActive);
    if (counted ? *counted < policy.gpu.dram_busy : !memory || *memory < policy.gpu.memory_busy)
      continue;
    if (LogSaysStarved(facts)) continue;
    if (!counted && asked != nullptr) {
      result.unknowns.push_back(NoCounters(gpu, asked->value.missing()));
      continue;
    }
    Finding finding = DeviceFinding(kId, gpu.Of(), counted ? kCounted : kWording);
    finding.severity = Severity::kInfo;
    SetBound(finding, facts, gpu, counted.value_or(memory.value_or(0)) / 100,
             counted ? Confidence::kMedium : Confidence::kLow);
    CiteMoment(finding, gpu,
               {FactId::kGpuDramActive, FactId::kGpuSmActive, FactId::kGpuTensorActive,
                FactId::kGpuMemoryUtilization, FactId::kGpuUtilization, FactId::kGpuPower,
                FactId::kGpuPowerLimit, FactId::kGpuMemoryClock});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
