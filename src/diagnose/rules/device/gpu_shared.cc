#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.shared";
constexpr Wording kWording = {
    N_("Another process computes on the job's GPU"),
    N_("The GPU is busy, and a part of its time goes to processes that are not the job's. Without "
       "MPS they take turns; the job waits for its own."),
    N_("Give one of them another GPU, or accept the sharing."),
    N_("Find the other: its pid is in nvidia-smi pmon. A forgotten notebook can go; a scheduler "
       "that "
       "shares GPUs on purpose has its reason."),
    "nvidia-smi pmon -s u -c 5"};

Unknown NotTold(const Fact& load) {
  Unknown unknown;
  unknown.what = Format(_("how much others compute on {}"), Printable(load.subject.id));
  unknown.why = WhyText(load.value.missing().why) + ": " + Printable(load.value.missing().detail);
  unknown.how = _("see both of them: nvidia-smi pmon -s u -c 5");
  unknown.hides = {std::string(kId)};
  return unknown;
}

}  // namespace

RuleResult GpuShared(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const Fact* load = facts.Find(FactId::kGpuOthersLoad, gpu.Of());
    // A GPU with time to spare has room for both.
    if (load == nullptr || !gpu.IsBusy(policy.gpu).value_or(false)) continue;
    if (!IsNumber(load)) {
      if (!load->value) result.unknowns.push_back(NotTold(*load));
      continue;
    }
    if (load->Number() < policy.gpu.shared_load) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    // Kernels of two processes may run side by side: then it costs nothing. At most it is the time
    // that the others got.
    const double share = load->Number() / 100;
    finding.cost = Cost{share / 2, 0, share, CostBasis::kRatio};
    CiteMoment(finding, gpu,
               {FactId::kGpuOthersLoad, FactId::kGpuUtilization, FactId::kGpuComputeProcesses,
                FactId::kGpuMemoryUsed});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
