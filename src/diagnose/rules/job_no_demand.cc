#include "diagnose/rules/job_no_demand.h"

#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "job.no-demand";

}  // namespace

RuleResult JobNoDemand(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  RuleView view(facts);
  const Fact* requests = view.Need(FactId::kConsumerRequests);
  const Fact* wait = view.Need(FactId::kConsumerWait);
  const Fact* run = view.Need(FactId::kJobRun);
  // One of the three that says no is enough; a missing one matters only where the others say yes.
  if (requests != nullptr && requests->interval.low < policy.input.requests) return {};
  // A loader that sleeps (retry, rate limit) is no lack of demand where a consumer waits for it.
  if (wait != nullptr && wait->interval.high >= policy.input.starved) return {};
  if (run != nullptr && run->Number() > policy.input.quiet_cores) return {};
  // A loop that polls for a file or a flag sleeps on a timer as well: derive/far_waits says so.
  const Fact* timer = view.Look(FactId::kConsumerTimer);
  if (timer != nullptr && requests != nullptr && timer->Number() > requests->Number() / 2)
    return {};
  if (requests == nullptr || wait == nullptr || run == nullptr) return view.CantTell(kId);

  Finding finding = FindingOf(kId, view.Job());
  finding.severity = Severity::kInfo;
  finding.confidence = requests->stat.n >= 60 || requests->stat.n == 0 ? Confidence::kHigh
                       : requests->stat.n >= 20                        ? Confidence::kMedium
                                                                       : Confidence::kLow;
  CiteAll(finding, {requests, wait, run, view.Look(FactId::kConsumerWakes)});
  finding.title = _("The job waits for requests");
  finding.meaning = Format(_("{} of the time its main process slept until somebody asks, and "
                             "nothing of its own was behind. It is idle, not starved."),
                           PercentText(requests->Number()));
  finding.decision = _("Leave it. Low utilization is the lack of work, not a fault.");
  finding.fix = _("Send it work, or look again under load.");
  const std::int32_t pid =
      view.Job().consumer_pid != 0 ? view.Job().consumer_pid : view.Job().root_pid;
  finding.verify = Format("for i in 1 2 3 4 5; do cat /proc/{0}/wchan; echo; sleep 1; done", pid);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
