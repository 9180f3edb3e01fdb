#include "diagnose/rules/cpu_affinity_narrow.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/quota_state.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "cpu.affinity-narrow";

/// Two masks that a pasted output prints one after the other.
RuleResult MaskShrank(const FactSet& facts) {
  constexpr StatedClaim kClaim{
      "cpu.affinity-narrow",
      Severity::kWarning,
      Confidence::kHigh,
      N_("The process lost most of its CPUs while it started"),
      N_("Its CPU mask was wide at first and is narrow afterwards: a library that it loads pins "
         "threads. Loader workers inherit the mask and share what is left."),
      N_("Give the mask back before adding workers."),
      N_("Call os.sched_setaffinity(0, range(os.cpu_count())) after the imports, or switch the "
         "pinning off (KMP_AFFINITY=disabled, OMP_PROC_BIND=false, GOMP_CPU_AFFINITY unset)."),
      "taskset -cp PID"};
  return StatedOfEach(kClaim, facts, FactId::kAffinityBefore,
                      {FactId::kAffinityAfter, FactId::kAffinityLine},
                      [](const Fact& /*f*/) { return true; });
}

void Write(Finding& finding, double delay, const Fact& allowed, const Fact& cpus) {
  finding.title = _("The job may use only a part of the cores, and the others are idle");
  finding.meaning =
      Format(_("The loaders were ready to run and not running {} of the time on the "
               "{:.0f} of {:.0f} CPUs that they may use, while CPUs that they may not "
               "use had nothing to do."),
             PercentText(std::min(delay, 1.0)), allowed.Number(), cpus.Number());
  finding.decision = _("Give the job more cores, or find out what narrowed its mask.");
  finding.fix =
      _("Ask the scheduler for more CPUs (--cpus-per-task, a request for whole cores), widen the "
        "cpuset of its cgroup, or take the pinning away: taskset, numactl, OMP_PROC_BIND, "
        "KMP_AFFINITY, a library that sets the mask when it is loaded.");
  finding.verify = "taskset -cp PID; mpstat -P ALL 5 1";
}

}  // namespace

RuleResult CpuAffinityNarrow(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return MaskShrank(facts);
  RuleView view(facts);
  const CoreWait wait = WaitForCores(view, policy);
  if (wait.answer == Answer::kUnknown) return view.CantTell(kId);
  if (wait.answer == Answer::kNo) return {};
  const Fact* allowed = view.Need(FactId::kJobCoresAllowed);
  const Fact* gain = view.Need(FactId::kGainAffinity);
  const Fact* cpus = facts.Find(FactId::kHostCpus, Subject{});
  if (!IsNumber(cpus)) view.Note(FactId::kHostCpus, {Why::kNotPresent, "/proc/stat"});
  if (!view.Complete()) return view.CantTell(kId);
  if (allowed->Number() >= cpus->Number()) return {};
  if (gain->interval.low < policy.ranking.min_cost) return {};

  Finding finding = FindingOf(kId, view.Job());
  finding.cost = LawCost(*gain);
  finding.confidence =
      ChainConfidence(facts, finding.cost->low, policy.ranking.min_cost, wait.consumer->stat.n);
  CiteAll(finding, {wait.consumer, view.Look(FactId::kFillersDelay), view.Look(FactId::kFillersRun),
                    allowed, cpus, view.Look(FactId::kOthersRun), gain});
  Write(finding, wait.delay, *allowed, *cpus);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
