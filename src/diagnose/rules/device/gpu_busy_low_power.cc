#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.busy-low-power";
constexpr Wording kWording = {
    N_("Busy all the time, but drawing little power"),
    N_("A kernel is always running, yet the board draws far less than it does under real work: a "
       "hang in a collective, tiny kernels, or memory-bound work."),
    N_("Find out which before anything is mended."),
    N_("Look at the stacks of the ranks, then at a profile of one step."), "py-spy dump --pid PID"};

}  // namespace

RuleResult GpuBusyLowPower(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsBusy(policy.gpu).value_or(false) || IsMig(gpu, facts)) continue;
    const std::optional<double> power = gpu.PowerShare();
    if (!power || *power >= policy.gpu.low_power) continue;
    const Fact* engine = gpu.BusiestEngine();
    if (engine != nullptr && engine->Number() >= policy.gpu.busy) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuUtilization, FactId::kGpuPower, FactId::kGpuPowerLimit,
                FactId::kGpuMemoryUtilization, FactId::kGpuSmClock, FactId::kGpuPstate});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
