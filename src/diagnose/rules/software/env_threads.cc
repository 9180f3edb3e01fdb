#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/software/job_variables.h"
#include "diagnose/rules/software/software_rules.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "env.threads";

struct Pool {
  double threads = 0;  ///< of one process
  const Fact* variable = nullptr;
};

/// The largest pool that a process is told to start.
Pool LargestPool(const FactSet& facts) {
  Pool largest;
  for (const std::string_view name :
       {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) {
    for (const JobVariable& variable : JobVariables(facts, name)) {
      // "8,2" are levels: the first counts.
      std::string_view rest = variable.value;
      const std::optional<double> threads = ParseDouble(NextToken(rest, ','));
      if (threads && *threads > largest.threads) largest = {*threads, variable.fact};
    }
  }
  return largest;
}

}  // namespace

RuleResult EnvThreads(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  const Pool pool = LargestPool(facts);
  if (pool.variable == nullptr) return {};
  RuleView view(facts);
  const Fact* cores = view.Need(FactId::kJobCoresAllowed);
  const Fact* delay = view.Need(FactId::kJobDelay);
  if (!view.Complete()) return view.CantTell(kId);
  const auto processes = static_cast<double>(view.Job().processes);
  // A pool that is larger than the cores costs nothing while its threads sleep: that they queue for
  // the cores is what shows it.
  const bool flood =
      pool.threads > 1 && pool.threads * processes > policy.cpu.thread_pools * cores->Number();
  if (!flood || delay->interval.low < cores->Number()) return {};
  Finding finding = FindingOf(kId, view.Job());
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kMedium;
  finding.evidence = {Cite(*pool.variable)};
  CiteAll(finding, {cores, delay, facts.Find(FactId::kJobProcesses, view.Job().subject)});
  finding.title = _("Each process of the job starts more threads than it has cores for");
  finding.meaning =
      Format(_("{} processes with pools of {:.0f} threads share {:.0f} cores, and {:.1f} of their "
               "threads wait for a core on average. Threads that take turns do the same work "
               "slower, because a pool waits for its last thread."),
             view.Job().processes, pool.threads, cores->Number(), delay->Number());
  finding.decision = _("Give each process a pool of its share of the cores.");
  const double share = std::max(1.0, cores->Number() / std::max(1.0, processes));
  finding.fix = Format(_("Set OMP_NUM_THREADS and its kin to {:.0f}, and measure the step time."),
                       std::max(1.0, static_cast<double>(static_cast<int>(share))));
  finding.verify =
      Format("tr '\\0' '\\n' < /proc/{}/environ | grep NUM_THREADS", view.Job().root_pid);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
