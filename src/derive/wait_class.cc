#include "derive/wait_class.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace gpuwhy {
namespace {

using enum Syscall;

struct FamilyPart {
  std::string_view part;
  WchanFamily family;
};

// Parts of wait channel names, the first that occurs wins: "io_cqring_wait" before "io_".
constexpr std::array kFamilyParts = {
    FamilyPart{"cqring", WchanFamily::kRing},
    FamilyPart{"pipe", WchanFamily::kPipe},
    FamilyPart{"fifo", WchanFamily::kPipe},
    FamilyPart{"wait_for_partner", WchanFamily::kPipe},
    FamilyPart{"futex", WchanFamily::kFutex},
    FamilyPart{"epoll", WchanFamily::kPoll},
    FamilyPart{"ep_poll", WchanFamily::kPoll},
    FamilyPart{"poll_schedule", WchanFamily::kPoll},
    FamilyPart{"do_select", WchanFamily::kPoll},
    FamilyPart{"do_poll", WchanFamily::kPoll},
    FamilyPart{"nanosleep", WchanFamily::kTimer},
    FamilyPart{"refrigerator", WchanFamily::kStop},
    FamilyPart{"freezer", WchanFamily::kStop},
    FamilyPart{"signal_stop", WchanFamily::kStop},
    FamilyPart{"ptrace_stop", WchanFamily::kStop},
    FamilyPart{"unix_stream", WchanFamily::kSocket},
    FamilyPart{"skb", WchanFamily::kSocket},
    FamilyPart{"sk_wait", WchanFamily::kSocket},
    FamilyPart{"wait_woken", WchanFamily::kSocket},
    FamilyPart{"inet_csk", WchanFamily::kSocket},
    FamilyPart{"folio", WchanFamily::kStorage},
    FamilyPart{"page", WchanFamily::kStorage},
    FamilyPart{"iomap", WchanFamily::kStorage},
    FamilyPart{"bio", WchanFamily::kStorage},
    FamilyPart{"blk", WchanFamily::kStorage},
    FamilyPart{"io_schedule", WchanFamily::kStorage},
    FamilyPart{"request_wait_answer", WchanFamily::kStorage},
    FamilyPart{"fuse", WchanFamily::kStorage},
    FamilyPart{"nfs", WchanFamily::kStorage},
    FamilyPart{"rpc_wait", WchanFamily::kStorage},
    FamilyPart{"ceph", WchanFamily::kStorage},
    FamilyPart{"cifs", WchanFamily::kStorage},
    FamilyPart{"smb", WchanFamily::kStorage},
    FamilyPart{"jbd2", WchanFamily::kStorage},
    FamilyPart{"xfs", WchanFamily::kStorage},
    FamilyPart{"ext4", WchanFamily::kStorage},
    FamilyPart{"btrfs", WchanFamily::kStorage},
    FamilyPart{"reclaim_throttle", WchanFamily::kStorage},
    FamilyPart{"balance_dirty", WchanFamily::kStorage},
};

[[nodiscard]] bool OneOf(Syscall call, std::initializer_list<Syscall> calls) {
  return std::find(calls.begin(), calls.end(), call) != calls.end();
}

/// Of a wait for input, by what its descriptors lead to. A server with a wake-up pipe of its own
/// still waits for requests; a trainer that also holds a metrics port still waits for its loaders.
WaitClass InputClass(const WaitShape& shape, WaitClass unknown) {
  if (shape.queue) return WaitClass::kQueueRead;
  if (shape.requests) return WaitClass::kRequests;
  if (shape.file) return WaitClass::kStorageRead;
  if (shape.external) return WaitClass::kExternalRead;
  if (shape.client) return WaitClass::kNetworkClient;
  if (shape.device) return WaitClass::kDevice;
  if (shape.own_queue) return WaitClass::kQueueRead;
  if (shape.timer) return WaitClass::kTimer;
  return unknown;
}

WaitClass OutputClass(const WaitShape& shape, WaitClass unknown) {
  if (shape.queue) return WaitClass::kQueueWrite;
  if (shape.file) return WaitClass::kStorageWrite;
  if (shape.client || shape.requests) return WaitClass::kNetworkClient;
  if (shape.own_queue) return WaitClass::kQueueWrite;
  if (shape.external || shape.device) return WaitClass::kOther;
  return unknown;
}

/// A FIFO's descriptor looks like a file's: only the wait channel tells them apart.
WaitClass FilesOrQueue(WaitClass wait, WchanFamily family) {
  const bool queue_wait = family == WchanFamily::kPipe || family == WchanFamily::kSocket;
  if (wait == WaitClass::kStorageRead && queue_wait) return WaitClass::kQueueRead;
  if (wait == WaitClass::kStorageWrite && queue_wait) return WaitClass::kQueueWrite;
  return wait;
}

WaitClass ReadClass(Syscall call, WchanFamily family, const WaitShape& shape) {
  // Only files can be read at an offset: the call alone decides where the descriptor is unknown.
  const bool files_only = OneOf(call, {kPread, kPreadv, kSendfile, kCopyFileRange});
  const bool storage = files_only || family == WchanFamily::kStorage;
  return FilesOrQueue(InputClass(shape, storage ? WaitClass::kStorageRead : WaitClass::kQueueRead),
                      family);
}

WaitClass WriteClass(Syscall call, WchanFamily family, const WaitShape& shape) {
  const bool storage = OneOf(call, {kPwrite, kPwritev}) || family == WchanFamily::kStorage;
  return FilesOrQueue(
      OutputClass(shape, storage ? WaitClass::kStorageWrite : WaitClass::kQueueWrite), family);
}

WaitClass PollClass(const WaitShape& shape) {
  if (shape.wants_write) return OutputClass(shape, WaitClass::kQueueWrite);
  // A file is always ready for poll: it can't be what is waited for.
  WaitShape waited = shape;
  waited.file = false;
  return InputClass(waited, WaitClass::kQueueRead);
}

WaitClass FutexClass(const WaitShape& shape) {
  if (shape.known && shape.shared_futex) return WaitClass::kQueueRead;
  return WaitClass::kPrivateFutex;
}

// NOLINTNEXTLINE(readability-function-size): a table; as one switch the compiler holds it complete
WaitClass CallClass(Syscall call, WchanFamily family, const WaitShape& shape) {
  switch (call) {
    case kNone:
      return WaitClass::kFault;
    case kRead:
    case kReadv:
    case kPread:
    case kPreadv:
    case kSendfile:
    case kSplice:
    case kCopyFileRange:
      return ReadClass(call, family, shape);
    case kIoGetevents:
      return WaitClass::kStorageRead;
    case kIoUringEnter:
      return WaitClass::kStorageAsync;
    case kWrite:
    case kPwrite:
    case kWritev:
    case kPwritev:
      return WriteClass(call, family, shape);
    case kOpen:
    case kOpenat:
    case kOpenat2:
    case kCreat:
      // The open of a FIFO waits for its other end.
      return family == WchanFamily::kPipe ? WaitClass::kQueueRead : WaitClass::kStorageOpen;
    case kStat:
    case kLstat:
    case kFstat:
    case kNewfstatat:
    case kStatx:
    case kAccess:
    case kReadlink:
    case kGetdents:
    case kUnlink:
    case kRename:
    case kMkdir:
    case kClose:
      return WaitClass::kStorageOpen;
    case kTruncate:
    case kFsync:
    case kFdatasync:
    case kSync:
    case kSyncFileRange:
    case kMsync:
      return WaitClass::kStorageWrite;
    case kFutex:
    case kFutexWaitv:
      return FutexClass(shape);
    case kPoll:
    case kPpoll:
    case kSelect:
    case kPselect:
    case kEpollWait:
    case kEpollPwait:
      return PollClass(shape);
    case kRecvfrom:
    case kRecvmsg:
    case kRecvmmsg:
      return InputClass(shape, WaitClass::kQueueRead);
    case kSendto:
    case kSendmsg:
    case kSendmmsg:
      return OutputClass(shape, WaitClass::kQueueWrite);
    case kAccept:
    case kAccept4:
      return WaitClass::kRequests;
    case kConnect:
      return WaitClass::kNetworkClient;
    case kSemop:
    case kSemtimedop:
    case kMsgrcv:
    case kMqTimedreceive:
      return WaitClass::kQueueRead;
    case kMsgsnd:
    case kMqTimedsend:
      return WaitClass::kQueueWrite;
    case kNanosleep:
    case kClockNanosleep:
    case kPause:
    case kSigsuspend:
    case kSigtimedwait:
      return WaitClass::kTimer;
    case kWait4:
    case kWaitid:
    case kVfork:
      return WaitClass::kChildWait;
    case kFlock:
    case kFcntl:
      return WaitClass::kLock;
    case kIoctl:
      return WaitClass::kDevice;
    case kOther:
    case kMmap:
    case kMunmap:
      return WaitClass::kOther;
  }
  return WaitClass::kOther;
}

/// Where the call could not be read (Yama's ptrace_scope leaves the wait channel): what the channel
/// alone says.
WaitClass ChannelClass(WchanFamily family) {
  switch (family) {
    case WchanFamily::kStorage:
    case WchanFamily::kRing:
      return WaitClass::kStorageRead;
    case WchanFamily::kTimer:
      return WaitClass::kTimer;
    case WchanFamily::kChild:
      return WaitClass::kChildWait;
    case WchanFamily::kStop:
      return WaitClass::kStopped;
    case WchanFamily::kUnknown:
    case WchanFamily::kPipe:
    case WchanFamily::kPoll:
    case WchanFamily::kSocket:
    case WchanFamily::kFutex:
      return WaitClass::kUnseen;
  }
  return WaitClass::kUnseen;
}

enum class Vote : unsigned char { kNone, kRuns, kSleeps };

Vote StateVote(char state) {
  if (state == 'R') return Vote::kRuns;
  return state == 'S' || state == 'D' ? Vote::kSleeps : Vote::kNone;
}

Vote ChannelVote(WchanState state) {
  if (state == WchanState::kZero) return Vote::kRuns;
  return state == WchanState::kName ? Vote::kSleeps : Vote::kNone;
}

}  // namespace

WchanFamily FamilyOf(std::string_view wchan) {
  if (wchan == "do_wait" || wchan == "kernel_clone") return WchanFamily::kChild;
  for (const FamilyPart& one : kFamilyParts) {
    if (wchan.find(one.part) != std::string_view::npos) return one.family;
  }
  return WchanFamily::kUnknown;
}

bool IsStorage(WaitClass wait) {
  return wait >= WaitClass::kStorageRead && wait <= WaitClass::kFault;
}

bool IsActive(WaitClass wait) {
  return wait == WaitClass::kRun || wait == WaitClass::kMixed || IsStorage(wait);
}

WaitClass Classify(const ThreadSample& sample, WchanFamily family, const WaitShape& shape) {
  const char state = sample.state;
  if (sample.call_state == SyscallState::kGone || state == 'Z' || state == 'X') {
    return WaitClass::kGone;
  }
  if (state == 'T' || state == 't' || family == WchanFamily::kStop) return WaitClass::kStopped;
  const Vote letter = StateVote(state);
  const Vote channel = ChannelVote(sample.wchan_state);
  if (sample.call_state == SyscallState::kRunning) {
    // A short wait can be caught half way: D in stat, "running" a moment later.
    return letter == Vote::kSleeps || channel == Vote::kSleeps ? WaitClass::kMixed
                                                               : WaitClass::kRun;
  }
  if (sample.call_state == SyscallState::kBlocked) {
    const bool contradicted = letter == Vote::kRuns || channel == Vote::kRuns;
    const bool seconded = letter == Vote::kSleeps || channel == Vote::kSleeps;
    if (contradicted && !seconded) return WaitClass::kMixed;
    return CallClass(sample.call, family, shape);
  }
  if (letter == Vote::kRuns) return channel == Vote::kSleeps ? WaitClass::kMixed : WaitClass::kRun;
  return channel == Vote::kSleeps ? ChannelClass(family) : WaitClass::kUnseen;
}

}  // namespace gpuwhy
