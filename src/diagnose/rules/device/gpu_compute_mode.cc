#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.compute-mode";
constexpr Wording kWording = {
    N_("The GPU's compute mode forbids every process to compute"),
    N_("In mode Prohibited no CUDA context can be made: programs that ask for this GPU fail, or "
       "take "
       "another one."),
    N_("Set the mode back, unless the GPU is kept for its display or for maintenance."),
    N_("nvidia-smi -i 0 -c DEFAULT, with the number of the GPU; as root."),
    "nvidia-smi --query-gpu=index,uuid,compute_mode --format=csv"};

}  // namespace

RuleResult GpuComputeMode(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (gpu.Text(FactId::kGpuComputeMode) != "Prohibited") continue;
    // One that computes all the same began before the mode was set, or the list is of another time.
    if (gpu.Number(FactId::kGpuComputeProcesses).value_or(0) > 0) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuComputeMode, FactId::kGpuComputeProcesses, FactId::kGpuDisplay});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
