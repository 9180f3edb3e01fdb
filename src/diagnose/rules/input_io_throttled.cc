#include "diagnose/rules/input_io_throttled.h"

#include <utility>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/io_limit.h"
#include "diagnose/rules/storage_wait.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "input.io-throttled";

void Write(Finding& finding, const Fact& used, const LoaderStorage& storage) {
  const std::string group = Printable(used.subject.id);
  finding.title = Format(_("The read limit of {} is full"), group);
  finding.meaning =
      Format(_("The cgroup reads {} of what its limit allows, and the loaders spend {} of their "
               "time blocked in "
               "reading and opening files. The device itself may be fast: the wait is in the "
               "limit, before it."),
             Percent(used.Number()), Percent(storage.read->Number() + storage.open->Number()));
  finding.decision = _("Raise the limit before buying storage.");
  finding.fix =
      _("cgroup v2: raise rbps or riops of the device in io.max, or write \"max\"; v1: "
        "blkio.throttle.read_bps_device and read_iops_device (0 removes a limit). systemd: "
        "IOReadBandwidthMax, IOReadIOPSMax. Docker: --device-read-bps, --device-read-iops.");
  const std::string relative = used.subject.id.empty() ? "/" : used.subject.id;
  finding.verify =
      "cat " + ShellQuote("/sys/fs/cgroup" + relative + "/io.max") + " " +
      ShellQuote("/sys/fs/cgroup/blkio" + relative + "/blkio.throttle.read_iops_device") + " " +
      ShellQuote("/sys/fs/cgroup/blkio" + relative + "/blkio.throttle.read_bps_device") +
      " 2>/dev/null";
}

}  // namespace

RuleResult InputIoThrottled(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  const Fact* used = FullReadLimit(facts, policy.input);
  if (used == nullptr) return {};
  // A full limit is no cause where another job in the group fills it: the loaders must wait for
  // reads themselves.
  RuleView view(facts);
  const LoaderStorage storage = LookAtStorage(view, policy.input);
  if (storage.answer == Answer::kUnknown) return view.CantTell(kId);
  if (storage.answer == Answer::kNo) return {};
  const Fact* gain = view.Need(FactId::kGainStorage);
  if (gain == nullptr) return view.CantTell(kId);
  if (gain->interval.high < policy.ranking.min_cost) return {};

  Finding finding = FindingOf(kId, view.Job());
  finding.cost = LawCost(*gain);
  finding.confidence =
      ChainConfidence(facts, finding.cost->low, policy.ranking.min_cost, storage.read->stat.n);
  CiteAll(finding, {used, facts.Find(FactId::kCgroupReadOpsLimit, used->subject),
                    facts.Find(FactId::kCgroupReadOps, used->subject),
                    facts.Find(FactId::kCgroupReadRateLimit, used->subject),
                    facts.Find(FactId::kCgroupReadRate, used->subject), storage.wait, storage.read,
                    storage.open, gain});
  CiteMounts(finding, MountsByWait(facts));
  Write(finding, *used, storage);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
