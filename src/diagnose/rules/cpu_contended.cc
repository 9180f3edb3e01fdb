#include "diagnose/rules/cpu_contended.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/quota_state.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "cpu.contended";

void Write(Finding& finding, double delay, const Fact& others) {
  finding.title = _("Other processes take the job's cores");
  finding.meaning = Format(_("The loaders were ready to run and not running {} of the time, while "
                             "{:.1f} cores were used by processes that are not of this job. No CPU "
                             "quota explains it."),
                           // More threads than loaders may be ready at once.
                           PercentText(std::min(delay, 1.0)), others.Number());
  finding.decision = _("Find out who else runs here, and give the job its own cores.");
  finding.fix =
      _("Stop or move the other processes, or reserve cores for the job (cpuset, a Slurm or "
        "Kubernetes "
        "request for whole cores); a larger CPU weight for its cgroup helps at once.");
  // The first screen of top is an average since each process started: only the second counts.
  finding.verify = "top -b -d 5 -n 2 -o %CPU | awk '/^top/{n++} n==2' | head -30";
}

}  // namespace

RuleResult CpuContended(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return HostContended(facts, policy);
  RuleView view(facts);
  const CoreWait wait = WaitForCores(view, policy);
  if (wait.answer == Answer::kUnknown) return view.CantTell(kId);
  if (wait.answer == Answer::kNo) return {};
  const Fact* gain = view.Need(FactId::kGainContention);
  const Fact* others = view.Need(FactId::kOthersRun);
  if (gain == nullptr || others == nullptr) return view.CantTell(kId);
  if (gain->interval.low < policy.ranking.min_cost || others->Number() < policy.cpu.others)
    return {};

  Finding finding = FindingOf(kId, view.Job());
  finding.cost = LawCost(*gain);
  finding.confidence =
      ChainConfidence(facts, finding.cost->low, policy.ranking.min_cost, wait.consumer->stat.n);
  CiteAll(finding, {wait.consumer, view.Look(FactId::kFillersDelay), view.Look(FactId::kFillersRun),
                    view.Look(FactId::kJobRun), view.Look(FactId::kJobRunAll),
                    view.Look(FactId::kJobCoresAllowed), others, gain});
  Write(finding, wait.delay, *others);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
