#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.compute-mode";
constexpr Wording kProhibited = {
    N_("The GPU's compute mode forbids every process to compute"),
    N_("In mode Prohibited no CUDA context can be made: programs that ask for this GPU fail, or "
       "take "
       "another one."),
    N_("Set the mode back, unless the GPU is kept for its display or for maintenance."),
    N_("nvidia-smi -i 0 -c DEFAULT, with the number of the GPU; as root."),
    "nvidia-smi --query-gpu=index,uuid,compute_mode --format=csv"};
constexpr Wording kExclusive = {
    N_("The GPU's compute mode lets only one process compute, and a second one was refused"),
    N_("In an exclusive mode the first process keeps the GPU; CUDA tells every other that the "
       "device is busy."),
    N_("Wait for the process that holds it, take another GPU, or set the mode back."),
    N_("nvidia-smi -i 0 -c DEFAULT, with the number of the GPU; as root. Several processes of one "
       "job on a GPU need that mode or MPS."),
    "nvidia-smi --query-compute-apps=pid,name --format=csv"};

void Judge(const GpuMoment& gpu, const std::vector<const Fact*>& refused, RuleResult& result) {
  const std::string mode = gpu.Text(FactId::kGpuComputeMode);
  // nvidia-smi's table shortens them: "E. Process", "E. Thread".
  const bool exclusive = mode.starts_with("Exclusive") || mode.starts_with("E. ");
  const bool computes = gpu.Number(FactId::kGpuComputeProcesses).value_or(0) > 0;
  // One that computes all the same began before the mode was set, or the list is of another time.
  const bool prohibited = mode == "Prohibited" && !computes;
  if (!prohibited && (!exclusive || refused.empty())) return;
  Finding finding = DeviceFinding(kId, gpu.Of(), prohibited ? kProhibited : kExclusive);
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kMedium;
  CiteMoment(finding, gpu,
             {FactId::kGpuComputeMode, FactId::kGpuComputeProcesses, FactId::kGpuDisplay});
  for (const Fact* fact : refused) finding.evidence.push_back(Cite(*fact));
  result.findings.push_back(std::move(finding));
}

}  // namespace

RuleResult GpuComputeMode(const FactSet& facts, const Policy& /*policy*/) {
  const std::vector<const Fact*> refused = AllOf(facts, {FactId::kSaidDevicesBusy});
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) Judge(gpu, refused, result);
  if (refused.empty() || !result.findings.empty()) return result;
  result.unknowns.push_back(
      {_("why CUDA found its devices busy or unavailable"),
       _("another process holds a GPU in an exclusive compute mode, or a GPU hangs; neither is "
         "seen "
         "in what was handed in"),
       _("on that host: nvidia-smi -q -d COMPUTE, nvidia-smi, and dmesg -T | grep -i xid"),
       {std::string(kId)}});
  return result;
}

}  // namespace gpuwhy
