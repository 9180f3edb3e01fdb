#include "derive/objects.h"

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

bool IsCallOf(Syscall call, Syscall first, Syscall last) { return call >= first && call <= last; }

/// The key that every holder of a descriptor shares; sockets by their own inode, not the pair.
std::optional<ObjectKey> KeyOf(const std::string& target, const FdRef& ref) {
  if (const std::uint64_t pipe = InodeOfLink(target, "pipe:[")) {
    return ObjectKey{ObjectKind::kPipe, pipe, 0, 0};
  }
  if (const std::uint64_t socket = InodeOfLink(target, "socket:[")) {
    return ObjectKey{ObjectKind::kUnix, socket, 0, 0};
  }
  if (target.find("[eventfd]") != std::string::npos && ref.eventfd_id >= 0) {
    return ObjectKey{ObjectKind::kEventfd, static_cast<std::uint64_t>(ref.eventfd_id), 0, 0};
  }
  if (!target.empty() && target.front() == '/') {
    return ObjectKey{ObjectKind::kFifo, ref.inode, ref.target, 0};
  }
  return std::nullopt;
}

}  // namespace

std::string_view MechanismOf(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::kPipe:
      return "pipe";
    case ObjectKind::kFifo:
      return "fifo";
    case ObjectKind::kUnix:
      return "unix";
    case ObjectKind::kTcp:
      return "tcp";
    case ObjectKind::kEventfd:
      return "eventfd";
    case ObjectKind::kFutex:
      return "futex";
    case ObjectKind::kSemaphore:
      return "semaphore";
    case ObjectKind::kSysvSemaphore:
      return "sysv-semaphore";
    case ObjectKind::kSysvQueue:
      return "sysv-queue";
    case ObjectKind::kMessageQueue:
      return "message-queue";
  }
  return "unknown";
}

std::uint64_t InodeOfLink(std::string_view link, std::string_view prefix) {
  if (!link.starts_with(prefix) || link.empty() || link.back() != ']') return 0;
  link.remove_prefix(prefix.size());
  link.remove_suffix(link.empty() ? 0 : 1);
  return ParseNumber<std::uint64_t>(link).value_or(0);
}

ObjectIndex::ObjectIndex(const Capture& capture, const ProcessTable& processes,
                         std::vector<bool> members)
    : capture_(capture), processes_(processes), members_(std::move(members)) {
  members_.resize(processes_.size(), false);
  families_.reserve(capture_.names.size());
  for (const std::string& name : capture_.names) families_.push_back(FamilyOf(name));
  for (const SocketSeen& socket : capture_.sockets) {
    const SocketSeen*& known = sockets_[socket.inode];
    if (known == nullptr || known->peer_inode == 0) known = &socket;
  }
  uses_.resize(capture_.details.size());
  waits_.resize(std::max<std::size_t>(capture_.details.size(), 1));
  NoteUses();
  NoteWaitedFor();
  NoteGuesses();
  NoteHolders();
  NoteRegions();
  for (std::size_t i = 1; i < capture_.details.size(); ++i) {
    if (uses_[i].seen) Resolve(static_cast<std::uint32_t>(i));
  }
  ResolveGuesses();
}

const ResolvedWait& ObjectIndex::Wait(std::uint32_t detail) const {
  return waits_[detail < waits_.size() ? detail : 0];
}

WchanFamily ObjectIndex::Family(NameId wchan) const {
  return wchan < families_.size() ? families_[wchan] : WchanFamily::kUnknown;
}

void ObjectIndex::NoteUses() {
  for (const ThreadSample& sample : capture_.thread_samples) {
    if (sample.detail == 0 || sample.detail >= uses_.size()) continue;
    Use& use = uses_[sample.detail];
    use.seen = true;
    use.pipe_wait |= Family(sample.wchan) == WchanFamily::kPipe;
    use.message |= IsCallOf(sample.call, Syscall::kMsgrcv, Syscall::kMsgsnd);
    use.mqueue |= IsCallOf(sample.call, Syscall::kMqTimedreceive, Syscall::kMqTimedsend);
    use.writes |= IsCallOf(sample.call, Syscall::kWrite, Syscall::kPwritev) ||
                  IsCallOf(sample.call, Syscall::kSendto, Syscall::kSendmmsg);
  }
}

void ObjectIndex::NoteHolder(std::int32_t pid, const FdRef& ref) {
  const std::optional<std::size_t> process = processes_.Index(pid);
  const std::optional<ObjectKey> key = KeyOf(capture_.Name(ref.target), ref);
  if (!process || !key) return;
  // Only what some wait is about: a job may hold a hundred thousand files.
  const auto it = holders_.find(*key);
  if (it == holders_.end() || it->second.size() >= kMaxHolders) return;
  const bool reads = ref.access != FdAccess::kWrite;
  const bool writes = ref.access != FdAccess::kRead;
  for (Holder& holder : it->second) {
    if (holder.process != *process) continue;
    holder.reads |= reads;
    holder.writes |= writes;
    return;
  }
  it->second.push_back({*process, reads, writes});
}

void ObjectIndex::ExpectHolders(const FdRef& ref) {
  const std::optional<ObjectKey> key = KeyOf(capture_.Name(ref.target), ref);
  if (!key) return;
  holders_.try_emplace(*key);
  if (key->kind != ObjectKind::kUnix) return;
  const auto socket = sockets_.find(key->a);
  if (socket != sockets_.end()) {
    holders_.try_emplace({ObjectKind::kUnix, socket->second->peer_inode, 0, 0});
  }
}

void ObjectIndex::NoteWaitedFor() {
  for (std::size_t i = 1; i < capture_.details.size(); ++i) {
    if (!uses_[i].seen) continue;
    std::size_t looked = 0;
    for (const FdRef& ref : capture_.details[i].fds) {
      if (++looked > kMaxFds) break;
      ExpectHolders(ref);
    }
  }
}

void ObjectIndex::NoteHolders() {
  for (const FdSeen& fd : capture_.fds) NoteHolder(fd.pid, fd.ref);
  for (std::size_t i = 1; i < capture_.details.size(); ++i) {
    if (!uses_[i].seen) continue;
    const WaitDetail& detail = capture_.details[i];
    std::size_t looked = 0;
    for (const FdRef& ref : detail.fds) {
      if (++looked > kMaxFds) break;
      NoteHolder(detail.pid, ref);
    }
    // /proc has no list of a semaphore set's or a queue's users: those seen waiting on it are
    // known, and those that were the last to use it.
    const std::optional<std::size_t> process = processes_.Index(detail.pid);
    if (!detail.sysv_id || !process) continue;
    std::vector<Holder>& users = holders_[SysvKey(*detail.sysv_id, uses_[i].message)];
    if (users.size() < kMaxHolders) users.push_back({*process, true, true});
  }
  NoteSysvUsers();
  for (auto& [key, holders] : holders_) {
    std::sort(holders.begin(), holders.end(),
              [](const Holder& a, const Holder& b) { return a.process < b.process; });
  }
}

void ObjectIndex::NoteSysvUsers() {
  for (const SysvUser& user : capture_.sysv_users) {
    const std::optional<std::size_t> process = processes_.Index(user.pid);
    const auto users = holders_.find(SysvKey(user.id, user.kind == SysvKind::kQueue));
    if (!process || users == holders_.end() || users->second.size() >= kMaxHolders) continue;
    const bool known = std::any_of(users->second.begin(), users->second.end(),
                                   [&](const Holder& one) { return one.process == *process; });
    if (!known) users->second.push_back({*process, true, true});
  }
}

void ObjectIndex::NoteRegions() {
  for (const SharedRegion& region : capture_.regions) {
    const std::optional<std::size_t> process = processes_.Index(region.pid);
    if (!process || region.end <= region.start || region.inode == 0) continue;
    regions_[region.pid].push_back(&region);
    std::vector<Holder>& holders = mapped_[{ObjectIndex::DeviceKey(region.device), region.inode}];
    if (holders.size() < kMaxHolders) holders.push_back({*process, true, true});
  }
  for (auto& [pid, regions] : regions_) {
    std::stable_sort(
        regions.begin(), regions.end(),
        [](const SharedRegion* a, const SharedRegion* b) { return a->start < b->start; });
  }
  for (auto& [key, holders] : mapped_) {
    std::stable_sort(holders.begin(), holders.end(),
                     [](const Holder& a, const Holder& b) { return a.process < b.process; });
    holders.erase(
        std::unique(holders.begin(), holders.end(),
                    [](const Holder& a, const Holder& b) { return a.process == b.process; }),
        holders.end());
  }
}

std::uint32_t ObjectIndex::ObjectId(const ObjectKey& key, const std::string& name, bool directed) {
  const auto [it, added] =
      object_ids_.try_emplace(key, static_cast<std::uint32_t>(objects_.size()));
  if (added) objects_.push_back({key, name, directed});
  return it->second;
}

}  // namespace gpuwhy
