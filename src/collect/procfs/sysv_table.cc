#include "collect/procfs/sysv_table.h"

#include <algorithm>

#include "base/i18n.h"
#include "collect/procfs/proc_paths.h"
#include "parse/procfs/sysvipc.h"

namespace gpuwhy {
namespace {

constexpr std::int32_t kMostSemaphores = 64;  // of a set: a queue is made of two or three
constexpr std::size_t kMostUsers = 4096;
constexpr std::size_t kMostProcesses = 4096;
// Threads of one look that wait on one thing share what it showed.
constexpr Nanos kOneLook = std::chrono::milliseconds(10);

}  // namespace

Reading<bool> SysvTable::Look(std::int32_t pid, SysvKind kind, std::int32_t id) {
  Reading<bool> same = SameNamespace(pid);
  if (!same) return same;
  const MonoTime now = host_.clock.Now();
  Kept& kept = kept_[{kind, id}];
  if (now < kept.until) return kept.seen;
  kept.seen = kind == SysvKind::kSemaphore ? LookAtSet(id) : LookAtQueue(id);
  kept.until = now + kOneLook;
  return kept.seen;
}

Reading<bool> SysvTable::SameNamespace(std::int32_t pid) {
  const auto known = same_namespace_.find(pid);
  if (known != same_namespace_.end()) return known->second;
  if (same_namespace_.size() >= kMostProcesses) same_namespace_.clear();
  const Result<std::string> own = host_.files.ReadLink("/proc/self/ns/ipc");
  const Result<std::string> others = host_.files.ReadLink(ProcessPath(pid, "ns/ipc"));
  Reading<bool> same = true;
  if (!own || !others) {
    same = ToMissing(own ? others.error() : own.error());
  } else if (*own != *others) {
    same = Missing{Why::kNotSupported,
                   Format(_("process {} is in another IPC namespace than gpuwhy"), pid)};
  }
  same_namespace_.insert_or_assign(pid, same);
  return same;
}

Reading<bool> SysvTable::LookAtSet(std::int32_t id) {
  if (!semaphores_.contains(id)) {
    const Result<std::string> text = host_.files.Read("/proc/sysvipc/sem");
    if (!text) return ToMissing(text.error());
    semaphores_.clear();
    for (const SysvSet& set : ParseSysvSets(*text)) semaphores_[set.id] = set.semaphores;
  }
  const auto set = semaphores_.find(id);
  if (set == semaphores_.end()) {
    return {Why::kNotPresent,
            Format(_("semaphore set {}: /proc/sysvipc/sem does not have it"), id)};
  }
  for (std::int32_t i = 0; i < std::min(set->second, kMostSemaphores); ++i) {
    const Result<std::int32_t> user = host_.ipc.SysvSemLastPid(id, i);
    if (!user) {
      semaphores_.erase(id);  // it may have been made anew
      return ToMissing(user.error());
    }
    Note(SysvKind::kSemaphore, id, *user);
  }
  return true;
}

Reading<bool> SysvTable::LookAtQueue(std::int32_t id) {
  const Result<std::string> text = host_.files.Read("/proc/sysvipc/msg");
  if (!text) return ToMissing(text.error());
  for (const SysvMessages& queue : ParseSysvMessages(*text)) {
    if (queue.id != id) continue;
    Note(SysvKind::kQueue, id, queue.last_sender);
    Note(SysvKind::kQueue, id, queue.last_receiver);
    return true;
  }
  return {Why::kNotPresent, Format(_("message queue {}: /proc/sysvipc/msg does not have it"), id)};
}

void SysvTable::Note(SysvKind kind, std::int32_t id, std::int32_t pid) {
  // 0: nobody yet, or a process that this PID namespace does not see.
  if (pid <= 0 || known_.size() >= kMostUsers) return;
  if (!known_.emplace(kind, id, pid).second) return;
  new_.push_back({host_.clock.Now(), kind, id, pid});
}

}  // namespace gpuwhy
