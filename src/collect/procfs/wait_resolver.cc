#include "collect/procfs/wait_resolver.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <set>
#include <utility>

#include "base/i18n.h"
#include "collect/procfs/proc_paths.h"

namespace gpuwhy {
namespace {

constexpr Nanos kUncertain{0};  // the next sample may differ although the arguments are equal
constexpr Nanos kFdHolds = std::chrono::seconds(1);
constexpr Nanos kAddressHolds = std::chrono::seconds(2);  // something else may be mapped there
constexpr Nanos kAlways = std::chrono::hours(24);
constexpr std::size_t kMostFds = 256;
constexpr std::size_t kPathMax = 4096;
constexpr std::uint64_t kFdSetBits = 1024;
constexpr std::uint64_t kFutexPrivate = 128;   // FUTEX_PRIVATE_FLAG, also FUTEX2_PRIVATE
constexpr std::int32_t kCurrentFolder = -100;  // AT_FDCWD

// Arguments are printed as unsigned words; a descriptor or id is the lower half.
std::int32_t Int(std::uint64_t arg) {
  return std::bit_cast<std::int32_t>(static_cast<std::uint32_t>(arg));
}

// The kernel's struct pollfd.
struct PollEntry {
  std::int32_t fd;
  std::int16_t events;
  std::int16_t revents;
};
constexpr std::int16_t kPollOut = 4;
constexpr std::int16_t kPollInOrUrgent = 3;

// The kernel's struct futex_waitv.
struct FutexEntry {
  std::uint64_t value, address;
  std::uint32_t flags, reserved;
};

template <class T>
std::vector<T> Records(const std::string& bytes) {
  std::vector<T> records(bytes.size() / sizeof(T));
  if (!records.empty()) std::memcpy(records.data(), bytes.data(), records.size() * sizeof(T));
  return records;
}

void AddBits(const std::string& bits, std::uint64_t count, std::set<std::int32_t>& numbers) {
  for (std::uint64_t fd = 0; fd < count && fd / 8 < bits.size(); ++fd) {
    const auto byte = static_cast<unsigned char>(bits[fd / 8]);
    if ((byte >> (fd % 8) & 1U) != 0) numbers.insert(static_cast<std::int32_t>(fd));
  }
}

std::vector<std::int32_t> Cut(std::vector<std::int32_t> numbers) {
  if (numbers.size() > kMostFds) numbers.resize(kMostFds);
  return numbers;
}

}  // namespace

WaitResolver::WaitResolver(Host host, Interner& interner, FdTable& fds, RegionTable& regions,
                           std::string machine)
    : host_(host),
      interner_(interner),
      fds_(fds),
      regions_(regions),
      sysv_(host),
      machine_(std::move(machine)) {}

std::uint32_t WaitResolver::Resolve(std::int32_t pid, std::int32_t tid, const BlockedCall& call) {
  if (call.state != BlockedCall::State::kInCall) return 0;  // a page fault names nothing
  const CallShape shape = MeaningOf(machine_, call.number).shape;
  if (shape == CallShape::kNone) return 0;
  const MonoTime now = host_.clock.Now();
  Kept& kept = kept_[{pid, tid}];
  if (now < kept.until && kept.call.number == call.number && kept.call.args == call.args)
    return kept.detail;
  WaitDetail detail;
  detail.pid = pid;
  detail.resolved = true;
  const Nanos holds = Describe(call, shape, detail);
  kept = Kept{call, interner_.InternDetail(detail), now + holds};
  return kept.detail;
}

Nanos WaitResolver::Describe(const BlockedCall& call, CallShape shape, WaitDetail& detail) {
  const std::array<std::uint64_t, 6>& a = call.args;
  switch (shape) {
    case CallShape::kNone:
      return kAlways;
    case CallShape::kFd:
      return AddFds({Int(a[0])}, detail);
    case CallShape::kFdWrite:
      detail.wants_write = true;
      return AddFds({Int(a[0])}, detail);
    case CallShape::kFdOutIn:
      return AddFds({Int(a[1]), Int(a[0])}, detail);
    case CallShape::kFdInOut:
      return AddFds({Int(a[0]), Int(a[2])}, detail);
    case CallShape::kPath:
      AddPath(static_cast<std::uint64_t>(std::int64_t{kCurrentFolder}), a[0], detail);
      return kUncertain;
    case CallShape::kPathAt:
      AddPath(a[0], a[1], detail);
      return kUncertain;
    case CallShape::kPoll:
      return AddPoll(call, detail);
    case CallShape::kSelect:
      return AddSelect(call, detail);
    case CallShape::kEpoll:
      return AddEpoll(Int(a[0]), detail);
    case CallShape::kFutex:
      return AddFutex(a[0], (a[1] & kFutexPrivate) != 0, detail);
    case CallShape::kFutexVector:
      return AddFutexVector(call, detail);
    case CallShape::kSysv:
      return AddSysv(call, detail);
    case CallShape::kTimer:
      detail.timer_only = true;
      return kAlways;
  }
  return kUncertain;
}

// Each look may find another worker to have been the last one.
Nanos WaitResolver::AddSysv(const BlockedCall& call, WaitDetail& detail) {
  const Syscall meaning = MeaningOf(machine_, call.number).call;
  const bool queue = meaning == Syscall::kMsgrcv || meaning == Syscall::kMsgsnd;
  detail.sysv_id = Int(call.args[0]);
  detail.resolved =
      sysv_.Look(detail.pid, queue ? SysvKind::kQueue : SysvKind::kSemaphore, *detail.sysv_id);
  return kUncertain;
}

Nanos WaitResolver::AddFds(const std::vector<std::int32_t>& numbers, WaitDetail& detail) {
  Nanos holds = kFdHolds;
  for (const std::int32_t fd : numbers) {
    const Reading<FdTable::Entry> entry = fds_.Look(detail.pid, fd);
    if (entry) {
      detail.fds.push_back(entry->ref);
      if (entry->kind == FdLinkKind::kFile) holds = kUncertain;
      continue;
    }
    FdRef number_only;
    number_only.fd = fd;
    detail.fds.push_back(number_only);
    detail.resolved = entry.missing();
    holds = kUncertain;
  }
  return holds;
}

Nanos WaitResolver::AddPoll(const BlockedCall& call, WaitDetail& detail) {
  if (call.args[1] == 0) {
    detail.timer_only = true;
    return kAlways;
  }
  const std::size_t count = std::min<std::uint64_t>(call.args[1], kMostFds);
  const Result<std::string> bytes = ReadMemory(detail.pid, call.args[0], count * sizeof(PollEntry));
  if (!bytes) {
    detail.resolved = ToMissing(bytes.error());
    return kUncertain;
  }
  std::vector<std::int32_t> numbers;
  std::int16_t events = 0;
  for (const PollEntry& entry : Records<PollEntry>(*bytes)) {
    if (entry.fd < 0) continue;  // a way to leave an entry out
    numbers.push_back(entry.fd);
    events = static_cast<std::int16_t>(events | entry.events);
  }
  detail.wants_write = (events & kPollOut) != 0 && (events & kPollInOrUrgent) == 0;
  detail.timer_only = numbers.empty();
  AddFds(numbers, detail);
  return kUncertain;  // the array lies on a stack: the same place may hold other descriptors
}

Nanos WaitResolver::AddSelect(const BlockedCall& call, WaitDetail& detail) {
  const std::uint64_t count = std::min(call.args[0] & 0xFFFF'FFFFU, kFdSetBits);
  std::set<std::int32_t> reads;
  std::set<std::int32_t> writes;
  std::set<std::int32_t> others;
  std::set<std::int32_t>* const sets[] = {&reads, &writes, &others};
  for (std::size_t i = 0; i < std::size(sets) && count > 0; ++i) {
    const std::uint64_t address = call.args.at(i + 1);
    if (address == 0) continue;
    const Result<std::string> bits = ReadMemory(detail.pid, address, (count + 7) / 8);
    if (!bits) {
      detail.resolved = ToMissing(bits.error());
      return kUncertain;
    }
    AddBits(*bits, count, *sets[i]);
  }
  detail.wants_write = reads.empty() && others.empty() && !writes.empty();
  std::set<std::int32_t> all = reads;
  all.insert(writes.begin(), writes.end());
  all.insert(others.begin(), others.end());
  detail.timer_only = all.empty();
  AddFds(Cut({all.begin(), all.end()}), detail);
  return kUncertain;
}

Nanos WaitResolver::AddEpoll(std::int32_t fd, WaitDetail& detail) {
  const Reading<FdTable::Entry> epoll = fds_.Look(detail.pid, fd);
  if (!epoll) {
    detail.resolved = epoll.missing();
    return kUncertain;
  }
  AddFds(Cut(epoll->ref.epoll_targets), detail);
  return kFdHolds;
}

void WaitResolver::AddPath(std::uint64_t folder, std::uint64_t address, WaitDetail& detail) {
  const Result<std::string> spelled = ReadText(detail.pid, address);
  if (!spelled) {
    detail.resolved = ToMissing(spelled.error());
    return;
  }
  if (!spelled->empty() && spelled->front() == '/') {
    detail.path = interner_.Intern(*spelled);
    return;
  }
  const std::int32_t fd = Int(folder);
  if (spelled->empty() && fd >= 0) {  // AT_EMPTY_PATH: the descriptor itself
    AddFds({fd}, detail);
    return;
  }
  const Result<std::string> base = host_.files.ReadLink(
      fd == kCurrentFolder ? ProcessPath(detail.pid, "cwd")
                           : ProcessPath(detail.pid, fmt::format("fd/{}", fd)));
  if (!base) {
    detail.path = interner_.Intern(*spelled);
    detail.resolved = ToMissing(base.error());
    return;
  }
  const bool slash = !base->empty() && base->back() == '/';
  detail.path = interner_.Intern(*base + (slash ? "" : "/") + *spelled);
}

Nanos WaitResolver::AddFutex(std::uint64_t address, bool is_private, WaitDetail& detail) {
  detail.futex_address = address;
  detail.futex_private = is_private;
  if (is_private) return kAlways;
  const Reading<bool> shared = regions_.IsShared(detail.pid, address);
  if (!shared) {
    detail.resolved = shared.missing();
    return kUncertain;
  }
  // Without the flag, but in memory that nobody shares (pthread_join does that): as good as
  // private.
  detail.futex_private = !*shared;
  return kAddressHolds;
}

Nanos WaitResolver::AddFutexVector(const BlockedCall& call, WaitDetail& detail) {
  const Result<std::string> bytes = ReadMemory(detail.pid, call.args[0], sizeof(FutexEntry));
  const std::vector<FutexEntry> entries =
      bytes ? Records<FutexEntry>(*bytes) : std::vector<FutexEntry>{};
  if (entries.empty()) {
    detail.resolved = bytes ? Missing{Why::kFailed, "futex_waitv"} : ToMissing(bytes.error());
    return kUncertain;
  }
  AddFutex(entries[0].address, (entries[0].flags & kFutexPrivate) != 0, detail);
  return kUncertain;
}

Result<std::string> WaitResolver::ReadMemory(std::int32_t pid, std::uint64_t address,
                                             std::size_t length) {
  std::string bytes(length, '\0');
  const Result<std::size_t> got = host_.memory.Read(pid, address, bytes);
  if (!got) return got.error();
  bytes.resize(std::min(*got, length));
  return bytes;
}

// Most paths are short: one small read, and a large one only where it did not end in that.
Result<std::string> WaitResolver::ReadText(std::int32_t pid, std::uint64_t address) {
  for (const std::size_t length : {std::size_t{256}, kPathMax}) {
    Result<std::string> bytes = ReadMemory(pid, address, length);
    if (!bytes) return bytes;
    if (const std::size_t end = bytes->find('\0'); end != std::string::npos) {
      bytes->resize(end);
      return bytes;
    }
  }
  return Error{_("a path in a process's memory has no end"), ProcessPath(pid, "mem"), 0};
}

}  // namespace gpuwhy
