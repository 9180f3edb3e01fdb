#include "diagnose/rules/input_io_throttled.h"

#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "base/text.h"
#include "diagnose/rules/io_limit.h"
#include "diagnose/rules/storage_wait.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "input.io-throttled";

/// How much of the wait is the limit's, and how much the device's own.
std::string DeviceText(const Fact* await, const std::string& device) {
  if (!IsNumber(await)) {
    return Format(_("How long {} itself takes was not seen: it may be as slow as its limit."),
                  device);
  }
  return Format(_("The wait is in the limit, before the device: {} itself takes {:.3g} ms for a "
                  "read, which is left out of the gain."),
                device, await->Number() * 1e3);
}

void Write(Finding& finding, const LimitedWait& limit, const LoaderStorage& storage,
           const Fact* await) {
  const std::string group = Printable(limit.cgroup);
  const std::string device = Printable(limit.device);
  finding.title = Format(_("The read limit of {} on {} is full"), group, device);
  finding.meaning =
      Format(_("The cgroup reads {} of what its limit on {} allows, and the loaders spend {} of "
               "their time blocked in reading and opening files, mostly on {}, which lies on that "
               "device. {}"),
             PercentText(limit.used->Number()), device,
             PercentText(storage.read->Number() + storage.open->Number()),
             Printable(limit.mount.id), DeviceText(await, device));
  finding.decision = _("Raise the limit before buying storage.");
  finding.fix =
      _("cgroup v2: raise rbps or riops of the device in io.max, or write \"max\"; v1: "
        "blkio.throttle.read_bps_device and read_iops_device (0 removes a limit). systemd: "
        "IOReadBandwidthMax, IOReadIOPSMax. Docker: --device-read-bps, --device-read-iops.");
  const std::string relative = limit.cgroup.empty() ? "/" : limit.cgroup;
  finding.verify =
      "cat " + ShellQuote("/sys/fs/cgroup" + relative + "/io.max") + " " +
      ShellQuote("/sys/fs/cgroup/blkio" + relative + "/blkio.throttle.read_iops_device") + " " +
      ShellQuote("/sys/fs/cgroup/blkio" + relative + "/blkio.throttle.read_bps_device") +
      " 2>/dev/null";
}

}  // namespace

RuleResult InputIoThrottled(const FactSet& facts, const Policy& policy) {
  if (facts.jobs.empty()) return {};
  // A full limit is no cause where another job in the group fills it, or where it is on another
  // disk: the loaders must wait for reads themselves, on a mount of that device.
  if (FullReadLimit(facts, policy.input) == nullptr) return {};
  RuleView view(facts);
  const StorageCase found =
      LookAtStorageCase(view, policy.input, FactId::kGainStorage, policy.ranking.min_cost);
  if (found.answer == Answer::kUnknown) return view.CantTell(kId);
  if (found.answer == Answer::kNo) return {};
  const std::vector<WaitedMount> mounts = MountsByWait(facts);
  const LimitedWait limit = LookAtReadLimit(view, mounts, policy.input);
  if (limit.answer == Answer::kUnknown) return view.CantTell(kId);
  if (limit.answer == Answer::kNo) return {};
  const Fact* gain = facts.Find(FactId::kGainReadLimit, limit.limit);
  if (!IsNumber(gain)) {
    view.Note(FactId::kGainReadLimit,
              gain == nullptr ? Missing{Why::kNotSampled, {}} : gain->value.missing());
    return view.CantTell(kId);
  }
  if (gain->interval.high < policy.ranking.min_cost) return {};

  const LoaderStorage& storage = found.storage;
  const Subject device{SubjectKind::kBlockDevice, limit.device};
  const Fact* await = facts.Find(FactId::kBlockReadAwait, device);
  Finding finding = StorageFinding(kId, view, *gain, *storage.read, policy);
  CiteAll(finding,
          {limit.used, facts.Find(FactId::kCgroupReadOpsLimit, limit.limit),
           facts.Find(FactId::kCgroupReadOps, limit.limit),
           facts.Find(FactId::kCgroupReadRateLimit, limit.limit),
           facts.Find(FactId::kCgroupReadRate, limit.limit), await,
           facts.Find(FactId::kBlockBusy, device), storage.wait, storage.read, storage.open, gain});
  CiteMounts(finding, mounts);
  Write(finding, limit, storage, await);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
