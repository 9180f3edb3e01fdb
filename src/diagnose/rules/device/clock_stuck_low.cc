#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.stuck-low";
constexpr Wording kWording = {
    N_("The clock stays low under load"),
    N_("The GPU is busy, yet its clock is far below what it can run at, and no reason for that was "
       "read."),
    N_("Ask for the clock reasons while the job runs before any other step."),
    N_("Reset the clocks (nvidia-smi -rgc), then the GPU; check for locked clocks, a broken power "
       "cable, and firmware."),
    "nvidia-smi -q -d PERFORMANCE,CLOCK"};

/// Share of the highest clock under which power alone does not hold a board: it keeps the base
/// clock, which is 0.37 of the highest on a T4, 0.39 on an L4 and more on others (data sheets).
constexpr double kBelowBase = 1.0 / 3;

}  // namespace

RuleResult ClockStuckLow(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  const std::vector<GpuMoment> moments = GpuMoments(facts);
  for (const GpuMoment& gpu : moments) {
    if (!gpu.IsBusy(policy.gpu).value_or(false) || HasReason(gpu)) continue;
    const std::optional<double> clock = gpu.Number(FactId::kGpuSmClock);
    const Fact* reference = ReferenceClock(gpu, moments);
    if (!clock || reference == nullptr) continue;
    if (*clock >= policy.gpu.stuck_clock * reference->Number()) continue;
    // Boards with a low limit (T4, L4, PCIe cards) run at half their highest clock by design: only
    // where the reasons or the power were read is it known that power does not hold the clock.
    const std::optional<double> power = gpu.PowerShare();
    if (power && *power >= policy.gpu.near_limit) continue;
    const bool known = power || gpu.Flag(FactId::kGpuReasonPowerCap);
    if (!known && *clock >= kBelowBase * reference->Number()) continue;
    // A desktop can load a GPU that was left in its lowest state.
    const bool computes = gpu.Number(FactId::kGpuComputeProcesses).value_or(1) > 0;
    if (gpu.IsOn(FactId::kGpuDisplay) && !computes) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    finding.evidence.push_back(
        Cite(*gpu.Look(FactId::kGpuSmClock), Format(_("near {} MHz"), reference->Number())));
    finding.evidence.push_back(Cite(*reference));
    CiteMoment(finding, gpu,
               {FactId::kGpuUtilization, FactId::kGpuPstate, FactId::kGpuPower,
                FactId::kGpuPowerLimit, FactId::kGpuTemperature});
    result.findings.push_back(std::move(finding));
    break;
  }
  return result;
}

}  // namespace gpuwhy
