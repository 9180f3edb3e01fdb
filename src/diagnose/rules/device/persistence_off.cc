#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "persistence.off";
constexpr Wording kWording = {
    N_("Persistence mode is off"),
    N_("With no client the driver unloads its state: the next first client waits seconds per GPU, "
       "and clock and power settings are lost."),
    N_("Turn it on, on machines without a display."),
    N_("systemctl enable --now nvidia-persistenced"), "nvidia-smi -q -d PERFORMANCE"};

/// Somebody has the device open, or it is not known. Where no list of processes was read only an
/// empty memory tells: a display server without a screen holds 4 MiB and more.
bool HasClient(const GpuMoment& gpu, const GpuPolicy& policy) {
  constexpr double kEmpty = 4;
  const std::optional<double> listed = gpu.Number(FactId::kGpuComputeProcesses);
  const std::optional<double> used = gpu.Number(FactId::kGpuMemoryUsed);
  if (listed) return *listed > 0 || used.value_or(0) >= policy.context_memory;
  return !used || *used >= kEmpty;
}

}  // namespace

RuleResult PersistenceOff(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (gpu.Flag(FactId::kGpuPersistence).value_or(true)) continue;
    // A display or a running job keeps the driver loaded: it costs nothing then.
    if (gpu.IsOn(FactId::kGpuDisplay) || !gpu.IsIdle(policy.gpu)) continue;
    if (IsLaptop(gpu) || HasClient(gpu, policy.gpu)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuPersistence, FactId::kGpuPstate, FactId::kGpuPower,
                FactId::kGpuMemoryUsed, FactId::kGpuComputeProcesses, FactId::kGpuUtilization});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
