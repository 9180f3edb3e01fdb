#include "diagnose/rules/input_too_few_workers.h"

#include <cmath>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/log_too_few_workers.h"
#include "diagnose/rules/quota_state.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "input.too-few-workers";

void Write(Finding& finding, const Fact& loaders, double busy) {
  finding.title =
      TrN("One loader works for all, and cores are idle", "Too few loaders, and cores are idle",
          static_cast<unsigned long>(std::lround(loaders.Number())));
  finding.meaning = Format(_("Each loader computes {} of the time, so the queue runs empty; cores "
                             "that the job may use have nothing to do."),
                           PercentText(busy));
  finding.decision = _("Add loader workers before buying faster cores.");
  finding.fix =
      _("Raise the number of workers (PyTorch: num_workers of the DataLoader; tf.data: "
        "num_parallel_calls) step by step until the wait ends or the cores are full.");
}

}  // namespace

RuleResult InputTooFewWorkers(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) {
    RuleResult said = LogTooFewWorkers(facts, policy);
    return said.findings.empty() ? HostTooFewWorkers(facts, policy) : said;
  }
  RuleView view(facts);
  const Fact* wait = view.Need(FactId::kConsumerWait);
  if (wait == nullptr) return view.CantTell(kId);
  if (wait->interval.low < policy.input.starved) return {};
  const Fact* loaders = view.Need(FactId::kFillers);
  const Fact* run = view.Need(FactId::kFillersRun);
  if (loaders == nullptr || run == nullptr) return view.CantTell(kId);
  if (loaders->Number() < 1) return {};
  const double busy = run->Number() / loaders->Number();
  if (busy < policy.input.worker_busy) return {};
  if (LookAtQuota(view, policy.cpu).level == QuotaLevel::kFull) return {};
  const Fact* gain = view.Need(FactId::kGainWorkers);
  if (gain == nullptr) return view.CantTell(kId);
  if (gain->interval.low < policy.ranking.min_cost) return {};

  Finding finding = FindingOf(kId, view.Job());
  finding.cost = LawCost(*gain);
  finding.confidence =
      ChainConfidence(facts, finding.cost->low, policy.ranking.min_cost, wait->stat.n);
  CiteAll(finding, {wait, loaders, run, view.Look(FactId::kJobCoresAllowed),
                    view.Look(FactId::kJobRun), view.Look(FactId::kOthersRun), gain});
  Write(finding, *loaders, busy);
  // The second line is of the last five seconds (id: idle, of all cores); the first is since boot.
  finding.verify = "top -b -d 5 -n 2 | grep %Cpu";
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
