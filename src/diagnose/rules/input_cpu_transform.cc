#include "diagnose/rules/input_cpu_transform.h"

#include <string>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/quota_state.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "input.cpu-transform";

/// Where a quota stops the loaders they look as if they computed. Computing is the limit only if it
/// stays one once the quota is gone, by the law's own figures.
Answer BoundWithoutQuota(RuleView& view, const Fact& bound, const Policy& policy) {
  const QuotaState quota = LookAtQuota(view, policy.cpu);
  if (quota.level == QuotaLevel::kNone || quota.level == QuotaLevel::kRoom) return Answer::kYes;
  if (quota.level == QuotaLevel::kUnknown) {
    // A thread that a quota stops is runnable and not running: without run delay there is none.
    RuleView probe(view.Facts());
    const Reading<double> delay = DelayPerLoader(probe);
    return delay && *delay < policy.cpu.min_delay ? Answer::kYes : Answer::kUnknown;
  }
  const Fact* gain = view.Need(FactId::kGainQuota);
  if (gain == nullptr) return Answer::kUnknown;
  const double remains = bound.interval.low - gain->interval.high;
  return remains >= policy.input.computing ? Answer::kYes : Answer::kNo;
}

void Write(Finding& finding, const RuleView& view, const Fact& bound) {
  finding.title = _("Loaders are short of CPU time");
  const bool gpu_job = LooksLikeGpuJob(view.Job());
  finding.meaning =
      gpu_job ? Format(_("For {} of the time the job waits for its loaders, which run or want to "
                         "run (they decode, augment, tokenise). Faster storage or a faster GPU "
                         "would wait for the same CPU."),
                       PercentText(bound.Number()))
              : Format(_("For {} of the time it waits for its child processes, which run or want "
                         "to run. Faster storage would wait for the same CPU."),
                       PercentText(bound.Number()));
  const Fact* cores = view.Look(FactId::kJobCoresAllowed);
  const Fact* run = view.Look(FactId::kFillersRun);
  if (cores != nullptr && run != nullptr) {
    finding.meaning += Format(_(" They use {:.1f} of the {:.0f} cores that the job may use."),
                              run->Number(), cores->Number());
  }
  // Who else runs is another finding's question; but computing alone must not take the blame.
  const Fact* delay = view.Look(FactId::kFillersDelay);
  if (delay != nullptr && run != nullptr && delay->Number() > run->Number()) {
    finding.meaning += Format(_(" On average {:.1f} loader threads were ready to run and had no "
                                "core: too many loaders, or other processes take the cores."),
                              delay->Number());
  }
  finding.decision = _("Give the loaders more CPU, or less to do.");
  if (!gpu_job) {
    finding.title = _("Child processes are short of CPU time");
    finding.decision = _("If another process is the job, name it with --pid.");
    finding.fix = _("Give it more cores, or less to do at once.");
    return;
  }
  finding.fix =
      _("Prepare the data once and store it ready to use (decoded, resized, tokenised), move the "
        "transforms to the GPU, or give the job more cores and as many workers.");
}

/// CPU use of each loader, by the kernel's own count.
std::string Command(const JobFacts& job) {
  std::string pids;
  for (const std::int32_t pid : ProcessesToCheck(job)) {
    pids += (pids.empty() ? "" : ",") + std::to_string(pid);
  }
  return "top -b -d 5 -n 2 -p " + pids;
}

}  // namespace

RuleResult InputCpuTransform(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  RuleView view(facts);
  const Fact* wait = view.Need(FactId::kConsumerWait);
  if (wait == nullptr) return view.CantTell(kId);
  if (wait->interval.low < policy.input.starved) return {};
  const Fact* bound = view.Need(FactId::kBoundCpu);
  if (bound == nullptr) return view.CantTell(kId);
  if (bound->interval.low < policy.input.computing) return {};
  const Answer answer = BoundWithoutQuota(view, *bound, policy);
  if (answer == Answer::kUnknown) return view.CantTell(kId);
  if (answer == Answer::kNo) return {};

  Finding finding = FindingOf(kId, view.Job());
  // A limit recovers nothing, so there is no cost: gain.cpu.work is evidence, not a promise.
  finding.bound = bound->Number();
  finding.confidence =
      ChainConfidence(facts, bound->interval.low, policy.ranking.min_cost, wait->stat.n);
  CiteAll(finding, {wait, bound, view.Look(FactId::kFillers), view.Look(FactId::kFillersRun),
                    view.Look(FactId::kJobCoresAllowed), view.Look(FactId::kFillersDelay),
                    view.Look(FactId::kGainCpuWork)});
  Write(finding, view, *bound);
  finding.verify = Command(view.Job());
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
