#include "diagnose/rules/io_limit.h"

#include "base/i18n.h"

namespace gpuwhy {
namespace {

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
    if (!IsNumber(fact) || fact->interval.low < policy.io_limit_used) continue;
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
    if (IsNumber(used) && used->interval.low >= policy.io_limit_used) {
      wait.answer = Answer::kYes;
      wait.used = used;
      wait.mount = mount.subject;
      wait.cgroup = TextOf(facts, FactId::kMountLimitCgroup, mount.subject);
      wait.device = TextOf(facts, FactId::kMountLimitDevice, mount.subject);
      wait.limit = ReadLimitSubject(wait.cgroup, wait.device);
      return wait;
    }
    if (used->value.has() || used->value.missing().why == Why::kNotPresent) continue;
    wait.answer = Answer::kUnknown;
    view.Note(FactId::kMountLimitUsed, used->value.missing());
  }
  return wait;
}

}  // namespace gpuwhy
