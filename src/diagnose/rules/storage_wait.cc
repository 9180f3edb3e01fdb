#include "diagnose/rules/storage_wait.h"

#include <algorithm>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

const Fact* NumberOf(const FactSet& facts, FactId id, const Subject& subject) {
  const Fact* fact = facts.Find(id, subject);
  return IsNumber(fact) ? fact : nullptr;
}

double ValueOrNone(const Fact* fact) { return fact == nullptr ? 0 : fact->Number(); }

std::string TextOf(const Fact* fact) {
  if (fact == nullptr || !fact->value.has()) return {};
  const std::string* text = std::get_if<std::string>(&*fact->value);
  return text == nullptr ? std::string() : Printable(*text);
}

/// Different files among the opens of the mount that is opened on most. Unknown below the number of
/// names from which it can be judged.
Answer ManyDifferentFiles(const FactSet& facts, const InputPolicy& policy) {
  const WaitedMount* most = nullptr;
  const std::vector<WaitedMount> mounts = MountsByWait(facts);
  for (const WaitedMount& mount : mounts) {
    if (most == nullptr || ValueOrNone(mount.open) > ValueOrNone(most->open)) most = &mount;
  }
  if (most == nullptr || most->named == nullptr || most->distinct == nullptr) {
    return Answer::kUnknown;
  }
  const double named = most->named->Number();
  if (named < policy.names) return Answer::kUnknown;
  return most->distinct->Number() >= policy.distinct * named ? Answer::kYes : Answer::kNo;
}

}  // namespace

std::vector<WaitedMount> MountsByWait(const FactSet& facts) {
  std::vector<WaitedMount> mounts;
  const auto add = [&](const Fact& fact) {
    const auto same = [&](const WaitedMount& m) { return m.subject == fact.subject; };
    if (IsNumber(&fact) && std::none_of(mounts.begin(), mounts.end(), same)) {
      mounts.push_back(WaitedMount{fact.subject});
    }
  };
  for (const Fact* fact : facts.All(FactId::kMountReadWait)) add(*fact);
  for (const Fact* fact : facts.All(FactId::kMountOpenWait)) add(*fact);
  for (WaitedMount& mount : mounts) {
    mount.read = NumberOf(facts, FactId::kMountReadWait, mount.subject);
    mount.open = NumberOf(facts, FactId::kMountOpenWait, mount.subject);
    mount.type = facts.Find(FactId::kMountType, mount.subject);
    mount.source = facts.Find(FactId::kMountSource, mount.subject);
    mount.example = facts.Find(FactId::kMountExample, mount.subject);
    mount.named = NumberOf(facts, FactId::kMountOpenNamed, mount.subject);
    mount.distinct = NumberOf(facts, FactId::kMountOpenDistinct, mount.subject);
    mount.share = ValueOrNone(mount.read) + ValueOrNone(mount.open);
  }
  std::sort(mounts.begin(), mounts.end(), [](const WaitedMount& a, const WaitedMount& b) {
    if (a.share != b.share) return a.share > b.share;
    return a.subject < b.subject;
  });
  return mounts;
}

std::string MountName(const std::vector<WaitedMount>& mounts) {
  if (mounts.empty()) return _("storage");
  const std::string point = Printable(mounts.front().subject.id);
  const std::string type = TextOf(mounts.front().type);
  return type.empty() ? point : point + " (" + type + ")";
}

void CiteMounts(Finding& finding, const std::vector<WaitedMount>& mounts) {
  constexpr std::size_t kMost = 3;
  for (std::size_t i = 0; i < std::min(mounts.size(), kMost); ++i) {
    const WaitedMount& mount = mounts[i];
    // Of no opens there is nothing to count.
    const bool is_named = ValueOrNone(mount.named) > 0;
    CiteAll(finding,
            {mount.read, mount.open, mount.type, mount.source, is_named ? mount.named : nullptr,
             is_named ? mount.distinct : nullptr, mount.example});
  }
}

std::string ThreadsCommand(const std::vector<std::int32_t>& pids) {
  std::string list;
  for (const std::int32_t pid : pids) list += (list.empty() ? "" : ",") + std::to_string(pid);
  return "for i in $(seq 20); do ps -L -o s=,wchan:32= -p " + list +
         "; sleep 0.2; done | sort | uniq -c | sort -rn";
}

double LoaderStorage::Total() const { return read->Number() + open->Number() + ValueOrNone(fault); }

LoaderStorage LookAtStorage(RuleView& view, const InputPolicy& policy) {
  LoaderStorage storage;
  storage.wait = view.Need(FactId::kConsumerWait);
  if (storage.wait == nullptr) return storage;
  // Loaders may wait as long as they like while nobody waits for them.
  if (storage.wait->interval.low < policy.starved) {
    storage.answer = Answer::kNo;
    return storage;
  }
  storage.read = view.Need(FactId::kFillersReadWait);
  storage.open = view.Need(FactId::kFillersOpenWait);
  storage.fault = view.Look(FactId::kFillersFaultWait);
  if (storage.read == nullptr || storage.open == nullptr) return storage;
  const double certain = storage.read->interval.low + storage.open->interval.low;
  storage.answer = certain >= policy.wait_share ? Answer::kYes : Answer::kNo;
  return storage;
}

StorageCase LookAtStorageCase(RuleView& view, const InputPolicy& policy, FactId gain,
                              double min_gain) {
  StorageCase found;
  found.storage = LookAtStorage(view, policy);
  found.answer = found.storage.answer;
  if (found.answer != Answer::kYes) return found;
  found.gain = view.Need(gain);
  if (found.gain == nullptr) {
    found.answer = Answer::kUnknown;
  } else if (found.gain->interval.high < min_gain) {
    found.answer = Answer::kNo;
  }
  return found;
}

Finding StorageFinding(std::string_view id, const RuleView& view, const Fact& gain,
                       const Fact& decides, const Policy& policy) {
  Finding finding = FindingOf(id, view.Job());
  finding.cost = LawCost(gain);
  finding.confidence =
      ChainConfidence(view.Facts(), finding.cost->low, policy.ranking.min_cost, decides.stat.n);
  return finding;
}

Answer IsMetadataStorm(RuleView& view, const LoaderStorage& storage, const InputPolicy& policy) {
  // Before the shares: without it reads and opens could not be told apart.
  const Fact* gain = view.Need(FactId::kGainStorageOpen);
  if (gain == nullptr) return Answer::kUnknown;
  if (storage.open->Number() < policy.metadata_part * storage.Total()) return Answer::kNo;
  if (gain->interval.high < policy.min_gain) return Answer::kNo;
  const Answer many = ManyDifferentFiles(view.Facts(), policy);
  if (many == Answer::kYes) return Answer::kYes;
  const Fact* size = view.Look(FactId::kJobReadSize);
  if (size != nullptr && size->Number() <= policy.small_read) return Answer::kYes;
  // Names that repeat are an answer of their own: one file opened again and again.
  if (many == Answer::kNo || size != nullptr) return Answer::kNo;
  static_cast<void>(view.Need(FactId::kJobReadSize));
  return Answer::kUnknown;
}

}  // namespace gpuwhy
