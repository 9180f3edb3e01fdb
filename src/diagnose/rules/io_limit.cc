#include "diagnose/rules/io_limit.h"

#include "base/i18n.h"

namespace gpuwhy {
namespace {

// Measured: after the burst with which a job starts the kernel lets 67 to 110 of 100 reads a second
// pass, 89 on average over 8 seconds, until the burst is paid back. The counters alone can't tell
// that from a job that reads a little less than it may.
constexpr double kPaced = 0.75;
// Nor does it matter, where the device's own answers explain no more than a tenth of the wait: what
// is left of it lies before the device, and the limit is there.
constexpr double kBeforeDevice = 0.9;

/// Full by its counters, or nearly so while the wait can be nowhere else.
bool IsFull(const FactSet& facts, const Fact& used, const Subject& limit,
            const InputPolicy& policy) {
  if (!IsNumber(&used)) return false;
  if (used.interval.low >= policy.io_limit_used) return true;
  if (used.interval.low < kPaced || facts.jobs.empty()) return false;
  const Fact* before = facts.Find(FactId::kGainReadLimit, limit);
  const Reading<double> all = facts.Number(FactId::kGainStorage, facts.jobs.front().subject);
  return IsNumber(before) && all && before->interval.low >= kBeforeDevice * *all;
}

std::string TextOf(const FactSet& facts, FactId id, const Subject& subject) {
  const Fact* fact = facts.Find(id, subject);
  if (fact == nullptr || !fact->value.has()) return {};
  const std::string* text = std::get_if<std::string>(&*fact->value);
  return text == nullptr ? std::string() : *text;
}

double CertainWait(const WaitedMount& mount) {
  double certain = 0;
  for (const Fact* fact : {mount.read, mount.open}) {
    if (fact != nullptr) certain += fact->interval.low;
  }
  return certain;
}

}  // namespace

const Fact* FullReadLimit(const FactSet& facts, const InputPolicy& policy) {
  const Fact* fullest = nullptr;
  for (const Fact* fact : facts.All(FactId::kCgroupReadUsed)) {
    if (!IsFull(facts, *fact, fact->subject, policy)) continue;
    if (fullest == nullptr || fact->Number() > fullest->Number()) fullest = fact;
  }
  return fullest;
}

LimitedWait LookAtReadLimit(RuleView& view, const std::vector<WaitedMount>& mounts,
                            const InputPolicy& policy) {
  const FactSet& facts = view.Facts();
  LimitedWait wait;
  wait.answer = Answer::kNo;
  if (FullReadLimit(facts, policy) == nullptr) return wait;
  if (mounts.empty()) {
    wait.answer = Answer::kUnknown;
    view.Note(FactId::kMountLimitUsed,
              {Why::kNotSampled, _("no look showed which files the loaders wait for")});
  }
  for (const WaitedMount& mount : mounts) {
    const Fact* used = facts.Find(FactId::kMountLimitUsed, mount.subject);
    if (used == nullptr || CertainWait(mount) < policy.wait_share) continue;
    const std::string cgroup = TextOf(facts, FactId::kMountLimitCgroup, mount.subject);
    const std::string device = TextOf(facts, FactId::kMountLimitDevice, mount.subject);
    const Subject limit = ReadLimitSubject(cgroup, device);
    if (IsFull(facts, *used, limit, policy)) {
      return {Answer::kYes, used, mount.subject, limit, cgroup, device};
    }
    if (used->value.has() || used->value.missing().why == Why::kNotPresent) continue;
    wait.answer = Answer::kUnknown;
    view.Note(FactId::kMountLimitUsed, used->value.missing());
  }
  return wait;
}

}  // namespace gpuwhy
