// The second half of ObjectIndex: from one wait's detail to its objects and their far ends.
#include <algorithm>
#include <array>
#include <optional>

#include "derive/objects.h"

namespace gpuwhy {
namespace {

bool IsBlockDevicePath(std::string_view path) {
  constexpr std::array<std::string_view, 17> kPrefixes = {
      "/dev/sd",      "/dev/nvme",  "/dev/vd",  "/dev/xvd",  "/dev/hd",  "/dev/dm-",
      "/dev/md",      "/dev/loop",  "/dev/nbd", "/dev/zd",   "/dev/ram", "/dev/mmcblk",
      "/dev/mapper/", "/dev/disk/", "/dev/rbd", "/dev/zram", "/dev/pmem"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [path](std::string_view prefix) { return path.starts_with(prefix); });
}

bool IsTerminalPath(std::string_view path) {
  return path.starts_with("/dev/pts/") || path.starts_with("/dev/tty") || path == "/dev/console";
}

/// Files under /dev/shm and huge pages are files all the same.
bool IsDevicePath(std::string_view path) {
  return path.starts_with("/dev/") && !path.starts_with("/dev/shm/") &&
         !path.starts_with("/dev/hugepages/") && !path.starts_with("/dev/mqueue/") &&
         !IsBlockDevicePath(path);
}

}  // namespace

void ObjectIndex::AddEnd(std::vector<FarEnd>& ends, const FarEnd& end) {
  if (ends.size() >= kMaxFarEnds || far_ends_ >= kMaxFarEndsInAll) return;
  const bool known = std::any_of(ends.begin(), ends.end(), [&end](const FarEnd& one) {
    return one.process == end.process && one.object == end.object;
  });
  if (known) return;
  ends.push_back(end);
  ++far_ends_;
}

const std::vector<ObjectIndex::Holder>& ObjectIndex::HoldersOf(const ObjectKey& key) const {
  const auto it = holders_.find(key);
  return it == holders_.end() ? nobody_ : it->second;
}

void ObjectIndex::AddSymmetric(std::size_t waiter, const ObjectKey& key, const std::string& name,
                               const std::vector<Holder>& holders, ResolvedWait& wait) {
  const std::uint32_t object = ObjectId(key, name, false);
  bool found = false;
  for (const Holder& holder : holders) {
    if (holder.process == waiter || !Member(holder.process)) continue;
    found = true;
    AddEnd(wait.fillers, {holder.process, object, false});
    AddEnd(wait.drainers, {holder.process, object, false});
  }
  wait.shape.queue |= found;
  wait.shape.own_queue |= !found;
}

void ObjectIndex::ResolvePipe(std::size_t waiter, const FdRef& ref, const ObjectKey& key,
                              ResolvedWait& wait) {
  const std::uint32_t object = ObjectId(key, capture_.Name(ref.target), true);
  const std::vector<Holder>& holders = HoldersOf(key);
  bool waiter_reads = false;
  bool waiter_writes = false;
  for (const Holder& holder : holders) {
    if (holder.process != waiter) continue;
    waiter_reads = holder.reads;
    waiter_writes = holder.writes;
  }
  bool found = false;
  for (const Holder& holder : holders) {
    if (holder.process == waiter || !Member(holder.process)) continue;
    if (holder.writes)
      AddEnd(wait.fillers, {holder.process, object, !holder.reads && !waiter_writes});
    if (holder.reads)
      AddEnd(wait.drainers, {holder.process, object, !holder.writes && !waiter_reads});
    found |= wait.shape.wants_write ? holder.reads : holder.writes;
  }
  wait.shape.queue |= found;
  if (found) return;
  if (ref.fd == 0) {
    wait.shape.external = true;
  } else {
    wait.shape.own_queue = true;
  }
}

void ObjectIndex::ResolveSocket(std::size_t waiter, const FdRef& ref, std::uint64_t inode,
                                ResolvedWait& wait) {
  const auto it = sockets_.find(inode);
  if (it == sockets_.end()) {
    wait.shape.own_queue = true;  // of another network namespace, or closed meanwhile
    return;
  }
  const SocketSeen& socket = *it->second;
  if (socket.listening) {
    wait.shape.requests = true;
    return;
  }
  bool found = false;
  bool held_by_waiter = false;
  if (socket.peer_inode != 0) {
    const ObjectKey key{socket.kind == SocketKind::kUnix ? ObjectKind::kUnix : ObjectKind::kTcp,
                        std::min(inode, socket.peer_inode), std::max(inode, socket.peer_inode), 0};
    const std::uint32_t object = ObjectId(key, capture_.Name(ref.target), true);
    const std::vector<Holder>& near = HoldersOf({ObjectKind::kUnix, inode, 0, 0});
    for (const Holder& holder : HoldersOf({ObjectKind::kUnix, socket.peer_inode, 0, 0})) {
      held_by_waiter |= holder.process == waiter;
      if (holder.process == waiter || !Member(holder.process)) continue;
      const bool both = std::any_of(near.begin(), near.end(), [&holder](const Holder& one) {
        return one.process == holder.process;
      });
      AddEnd(wait.fillers, {holder.process, object, !both});
      AddEnd(wait.drainers, {holder.process, object, !both});
      found = true;
    }
  }
  wait.shape.queue |= found;
  if (found) return;
  const bool connected = socket.peer_inode != 0 || socket.remote != kNoName;
  if (held_by_waiter || (socket.kind == SocketKind::kUnix && !connected)) {
    wait.shape.own_queue = true;
  } else if (socket.server_side || !connected) {
    wait.shape.requests = true;
  } else {
    wait.shape.client = true;
  }
}

void ObjectIndex::ResolvePath(std::size_t waiter, const Use& use, const FdRef& ref,
                              ResolvedWait& wait) {
  const std::string& path = capture_.Name(ref.target);
  const ObjectKey holders_key{ObjectKind::kFifo, ref.inode, ref.target, 0};
  if (use.mqueue) {
    AddSymmetric(waiter, {ObjectKind::kMessageQueue, ref.inode, ref.target, 0}, path,
                 HoldersOf(holders_key), wait);
  } else if (use.pipe_wait) {
    ResolvePipe(waiter, ref, holders_key, wait);
  } else if (IsTerminalPath(path)) {
    wait.shape.external = true;
  } else if (IsDevicePath(path)) {
    wait.shape.device = true;
  } else {
    wait.shape.file = true;
  }
}

void ObjectIndex::ResolveFd(const WaitDetail& detail, const Use& use, const FdRef& ref,
                            ResolvedWait& wait) {
  const std::string& target = capture_.Name(ref.target);
  const std::size_t waiter = processes_.Index(detail.pid).value_or(kNoProcess);
  if (const std::uint64_t pipe = InodeOfLink(target, "pipe:[")) {
    ResolvePipe(waiter, ref, {ObjectKind::kPipe, pipe, 0, 0}, wait);
  } else if (const std::uint64_t socket = InodeOfLink(target, "socket:[")) {
    ResolveSocket(waiter, ref, socket, wait);
  } else if (target.find("[eventfd]") != std::string::npos && ref.eventfd_id >= 0) {
    const ObjectKey key{ObjectKind::kEventfd, static_cast<std::uint64_t>(ref.eventfd_id), 0, 0};
    AddSymmetric(waiter, key, "eventfd:" + std::to_string(ref.eventfd_id), HoldersOf(key), wait);
  } else if (target.find("timerfd") != std::string::npos) {
    wait.shape.timer = true;
  } else if (target.find("inotify") != std::string::npos ||
             target.find("signalfd") != std::string::npos) {
    wait.shape.external = true;
  } else if (!target.empty() && target.front() == '/') {
    ResolvePath(waiter, use, ref, wait);
  }
}

void ObjectIndex::ResolveFutex(std::size_t waiter, const WaitDetail& detail, ResolvedWait& wait) {
  if (!detail.futex_address || detail.futex_private) return;
  const auto mapped = regions_.find(detail.pid);
  if (mapped == regions_.end()) return;
  const std::uint64_t address = *detail.futex_address;
  const auto after = std::upper_bound(
      mapped->second.begin(), mapped->second.end(), address,
      [](std::uint64_t at, const SharedRegion* region) { return at < region->start; });
  if (after == mapped->second.begin()) return;
  const SharedRegion& region = **std::prev(after);
  if (address >= region.end) return;
  wait.shape.shared_futex = true;
  const std::string& path = capture_.Name(region.path);
  // A named or multiprocessing semaphore is a small file "sem.*" of its own.
  const bool semaphore = path.find("/sem.") != std::string::npos;
  const std::uint64_t device = DeviceKey(region.device);
  AddSymmetric(waiter,
               {semaphore ? ObjectKind::kSemaphore : ObjectKind::kFutex, region.inode, device,
                region.offset + (address - region.start)},
               path, mapped_[{device, region.inode}], wait);
}

void ObjectIndex::Resolve(std::uint32_t index) {
  const WaitDetail& detail = capture_.details[index];
  const Use& use = uses_[index];
  ResolvedWait& wait = waits_[index];
  const std::size_t waiter = processes_.Index(detail.pid).value_or(kNoProcess);
  wait.shape.known = detail.resolved.ValueOr(false);
  wait.shape.wants_write = detail.wants_write || use.writes;
  wait.shape.timer = detail.timer_only;
  std::size_t looked = 0;
  for (const FdRef& ref : detail.fds) {
    if (++looked > kMaxFds) break;
    ResolveFd(detail, use, ref, wait);
  }
  ResolveFutex(waiter, detail, wait);
  if (detail.sysv_id) {
    const ObjectKey key = SysvKey(*detail.sysv_id, use.message);
    AddSymmetric(waiter, key, "id " + std::to_string(*detail.sysv_id), HoldersOf(key), wait);
  }
}

}  // namespace gpuwhy
