#include <algorithm>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "cpu.single-thread";
constexpr StatedClaim kClaim{
    kId,
    Severity::kWarning,
    Confidence::kMedium,
    N_("One thread of the job is all that runs"),
    N_("A thread of the process on the GPU uses a whole core, other cores are idle, and the GPU "
       "waits for most of the time. A thread that only waits for its GPU can look as busy, but "
       "then the GPU is busy too."),
    N_("Take work off this thread; more cores or a faster GPU change nothing."),
    N_("Move decoding and augmentation to loader workers, larger batches or CUDA graphs for many "
       "small launches, less Python in the loop. py-spy dump --pid PID shows what the thread "
       "does."),
    "top -H -b -d 5 -n 2 -p PID"};

bool CoresAreFree(const FactSet& facts, const HostPolicy& policy) {
  const std::vector<const Fact*> busy = NumbersOf(facts, FactId::kHostCpuBusy);
  return !busy.empty() && busy.front()->Number() <= 1 - policy.idle;
}

}  // namespace

RuleResult CpuSingleThread(const FactSet& facts, const Policy& policy) {
  if (!facts.pasted) return {};
  for (const ListedProcess& process : ListedProcesses(facts)) {
    const Fact* thread = process.thread_busy;
    if (!process.on_gpu || thread == nullptr || thread->Number() < policy.host.thread_busy)
      continue;
    const GpuLoad load = LoadOfGpus(facts, policy.gpu);
    if (load == GpuLoad::kBusy) return {};
    if (load == GpuLoad::kUnknown) {
      return HostCantTell(kId, _("whether the GPU waits for the thread that fills a core"),
                          _("a thread that only waits for its GPU fills a core as well"),
                          _("hand in nvidia-smi dmon -c 10 of the same time"));
    }
    if (!CoresAreFree(facts, policy.host)) {
      if (!NumbersOf(facts, FactId::kHostCpuBusy).empty()) return {};
      return HostCantTell(kId, Tr(Info(FactId::kHostCpuBusy).meaning),
                          _("no output tells whether other cores are free"),
                          _("mpstat 5 3 while the job runs"));
    }
    std::vector<const Fact*> evidence{thread, process.command};
    for (const FactId id : {FactId::kHostCpuBusy, FactId::kGpuUtilization}) {
      const std::vector<const Fact*> all = NumbersOf(facts, id);
      if (!all.empty()) evidence.push_back(all.front());
    }
    for (const Fact* line : HostLines(facts, *thread)) evidence.push_back(line);
    RuleResult result = Stated(kClaim, evidence);
    Finding& finding = result.findings.front();
    finding.bound = std::min(thread->Number(), 1.0);
    // One look may be a moment at which it happened to run.
    if (!IsOfEnoughReports(*thread, policy.host)) finding.confidence = Confidence::kLow;
    return result;
  }
  return {};
}

}  // namespace gpuwhy
