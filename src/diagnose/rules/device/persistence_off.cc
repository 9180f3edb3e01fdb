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

}  // namespace

RuleResult PersistenceOff(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (gpu.Flag(FactId::kGpuPersistence).value_or(true)) continue;
    // A display or a running job keeps the driver loaded: it costs nothing then.
    if (gpu.IsOn(FactId::kGpuDisplay)) continue;
    if (gpu.Number(FactId::kGpuComputeProcesses).value_or(0) > 0) continue;
    if (gpu.Number(FactId::kGpuMemoryUsed).value_or(0) >= policy.gpu.held_memory) continue;
    if (!gpu.IsIdle(policy.gpu)) continue;
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
