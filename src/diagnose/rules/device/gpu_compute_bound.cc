#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.compute-bound";
constexpr Wording kWording = {
    N_("The GPU itself is the limit"),
    N_("It was busy all the time and drew most of its power: it computes."),
    N_("Nothing starves it. To go faster, give it less work per step or more GPUs."),
    N_("Lower precision, fused kernels, or a profile of the kernels."),
    "nvidia-smi dmon -s pucm -c 30"};
constexpr Wording kMoment = {
    N_("The GPU was busy and drew most of its power when it was looked at"),
    N_("At that moment it computed. Whether it does so for the whole step one look can't tell."),
    N_("Look for longer before concluding. If it stays like this, the GPU itself is the limit."),
    N_("If it stays so: lower precision, fused kernels, or a profile of the kernels."),
    "nvidia-smi dmon -s pucm -c 30"};

}  // namespace

RuleResult GpuComputeBound(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsBusy(policy.gpu).value_or(false)) continue;
    const std::optional<double> power = gpu.PowerShare();
    if (!power || *power < policy.gpu.hard_work || IsMig(gpu, facts)) continue;
    if (HasReason(gpu)) continue;
    const Fact* series = SeriesLoad(facts, gpu);
    if (series != nullptr && series->Number() < policy.gpu.busy) continue;
    if (LogSaysStarved(facts)) {
      result.unknowns.push_back(MomentAgainstLog(kId));
      continue;
    }
    const bool one_moment = IsOneMoment(facts, gpu);
    Finding finding = DeviceFinding(kId, gpu.Of(), one_moment ? kMoment : kWording);
    finding.severity = Severity::kInfo;
    SetBound(finding, facts, gpu,
             (series != nullptr ? series->Number() : *gpu.Number(FactId::kGpuUtilization)) / 100,
             Confidence::kMedium);
    CiteMoment(finding, gpu,
               {FactId::kGpuUtilization, FactId::kGpuPower, FactId::kGpuPowerLimit,
                FactId::kGpuSmClock, FactId::kGpuMaxSmClock, FactId::kGpuMemoryUtilization});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
