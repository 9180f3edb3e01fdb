#include <algorithm>

#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "cpu.saturated";
constexpr StatedClaim kClaim{
    kId,
    Severity::kWarning,
    Confidence::kMedium,
    N_("The job has filled all cores, and the GPU waits"),
    N_("All CPU time is in use, most of it by the job's own processes, while the GPU has nothing "
       "to do for most of the time: preparing the data is what the job can't do faster here."),
    N_("Less work on the CPU a sample, or more cores a GPU."),
    N_("Decode and augment ahead of time or on the GPU (DALI, nvJPEG), smaller images, faster "
       "decoders; or a host with more cores for each GPU."),
    "mpstat 5 3; pidstat -u 5 2"};

}  // namespace

RuleResult CpuSaturated(const FactSet& facts, const Policy& policy) {
  if (!facts.pasted) return {};
  const std::vector<const Fact*> busy = NumbersOf(facts, FactId::kHostCpuBusy);
  const std::vector<const Fact*> cpus = NumbersOf(facts, FactId::kHostCpus);
  if (busy.empty() || busy.front()->interval.low < policy.host.busy) return {};
  double used = 0;
  std::vector<const Fact*> evidence{busy.front()};
  for (const ListedProcess& process : ListedProcesses(facts)) {
    if (process.run == nullptr) continue;
    used += process.run->Number();
    evidence.push_back(process.run);
  }
  if (used <= 0) return {};
  if (LoadOfGpus(facts, policy.gpu) != GpuLoad::kWaiting) return {};
  if (cpus.empty()) {
    return HostCantTell(kId, Tr(Info(FactId::kHostCpus).meaning),
                        _("so it can't be told which part of them the job fills"), "lscpu");
  }
  if (used < cpus.front()->Number() / 2) return {};
  if (!IsOfEnoughReports(*busy.front(), policy.host))
    return NotOfNow(kId, facts, FactId::kHostCpuBusy);
  evidence.push_back(cpus.front());
  RuleResult result = Stated(kClaim, evidence);
  result.findings.front().bound = std::min(busy.front()->Number(), 1.0);
  return result;
}

}  // namespace gpuwhy
