#include "diagnose/rules/cpu_quota_throttled.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "base/text.h"
#include "diagnose/rules/quota_state.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "cpu.quota-throttled";

/// Where the figures were read, as a command. Without a full path: both places where a cgroup's
/// cpu.stat is (v2, then v1), one of which exists; without a cgroup, the job's own list of them.
std::string Command(const Fact& throttled, const JobFacts& job) {
  std::string files;
  const std::string& source = throttled.provenance.source;
  const std::string& group = throttled.subject.id;
  if (source.starts_with('/')) {
    files = ShellQuote(source);
  } else if (throttled.subject.kind == SubjectKind::kCgroup && group.starts_with('/')) {
    files = ShellQuote("/sys/fs/cgroup" + group + "/cpu.stat") + " " +
            ShellQuote("/sys/fs/cgroup/cpu" + group + "/cpu.stat");
  } else {
    return Format("cat /proc/{}/cgroup", ProcessesToCheck(job).front());
  }
  return Format("for i in 1 2; do cat {} 2>/dev/null; sleep 5; done", files);
}

void Write(Finding& finding, const QuotaState& quota, double delay) {
  const std::string group = Printable(quota.throttled->subject.id);
  finding.title = Format(_("The CPU quota of {} is used up"), group);
  finding.meaning = Format(
      _("The kernel stopped the job's cgroup in {} of {} quota periods. Its threads were ready to "
        "run and not running {} of the time; to the job this looks like slow loaders."),
      PercentText(quota.throttled->Number()), std::lround(quota.periods->Number()),
      // More threads than loaders may be ready at once.
      PercentText(std::min(delay, 1.0)));
  finding.decision = _("Raise or remove the quota before looking at data or GPU.");
  finding.fix =
      _("cgroup v2: write \"max\" or a larger quota to cpu.max; v1: -1 or a larger quota to "
        "cpu.cfs_quota_us. Docker: --cpus. Kubernetes: resources.limits.cpu of the container. "
        "More loader workers than the quota grants cores only wait for each other.");
}

}  // namespace

RuleResult CpuQuotaThrottled(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  RuleView view(facts);
  const QuotaState quota = LookAtQuota(view, policy.cpu);
  if (quota.level == QuotaLevel::kUnknown) return view.CantTell(kId);
  if (quota.level != QuotaLevel::kFull) return {};
  // The quota of a group is full as well where another job in it uses it up: the job's own threads
  // must have been kept from running.
  const Reading<double> delay = DelayPerLoader(view);
  if (!delay) return view.CantTell(kId);
  if (*delay < policy.cpu.min_delay) return {};

  Finding finding = FindingOf(kId, view.Job());
  const Fact* gain = view.Look(FactId::kGainQuota);
  if (gain != nullptr) finding.cost = LawCost(*gain);
  // Periods are counted, but few of them are a short look all the same. The edge to the quota is
  // the kernel's own statement, so no proof of a direction is asked for.
  const bool many = quota.periods->Number() >= 60;
  const bool costs = gain != nullptr && finding.cost->low >= policy.ranking.min_cost;
  finding.confidence = many && costs   ? Confidence::kHigh
                       : many || costs ? Confidence::kMedium
                                       : Confidence::kLow;
  CiteAll(finding, {quota.throttled, quota.periods, view.Look(FactId::kFillersDelay),
                    view.Look(FactId::kJobDelay), view.Look(FactId::kJobCoresQuota),
                    view.Look(FactId::kJobRun), gain});
  Write(finding, quota, *delay);
  finding.verify = Command(*quota.throttled, view.Job());
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
