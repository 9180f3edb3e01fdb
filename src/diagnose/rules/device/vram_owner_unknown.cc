#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "vram.owner-unknown";
constexpr Wording kWording = {
    N_("Nobody is listed who holds the memory"),
    N_("Device memory is in use, but the list of processes is empty: it was asked inside of a "
       "container, or the owner is gone or not visible."),
    N_("Ask on the host, as root."), N_("Look there who maps the device."),
    "fuser -v /dev/nvidia*"};

}  // namespace

RuleResult VramOwnerUnknown(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> listed = gpu.Number(FactId::kGpuComputeProcesses);
    const std::optional<double> used = gpu.Number(FactId::kGpuMemoryUsed);
    if (!listed || *listed > 0 || !used || *used < policy.gpu.held_memory) continue;
    if (IsMig(gpu, facts)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuMemoryUsed, FactId::kGpuMemoryTotal, FactId::kGpuComputeProcesses,
                FactId::kGpuUtilization});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
