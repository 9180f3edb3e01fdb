// What a blocked thread waits for, by system call and wait channel. Never by the letters S and D:
// a FUSE open sleeps in S, a vfork parent in D.
#pragma once

#include <string_view>

#include "capture/samples.h"

namespace gpuwhy {

enum class WaitClass : unsigned char {
  kGone,  ///< ended, or a zombie: says nothing
  kRun,   ///< on a CPU or runnable
  kStorageRead,
  kStorageAsync,  ///< io_uring: a read of storage most likely, but a ring may carry anything
  kStorageOpen,   ///< opening, finding or listing files
  kStorageWrite,
  kFault,       ///< page fault: file or swap
  kQueueRead,   ///< an empty queue: pipe, socket, event, shared semaphore
  kQueueWrite,  ///< a full one
  kPrivateFutex,
  kRequests,      ///< the next client
  kExternalRead,  ///< a terminal, or a pipe from outside the job
  kTimer,
  kChildWait,
  kLock,
  kNetworkClient,  ///< an answer from another host, or a local server outside the job
  kDevice,         ///< a driver's call on a character device
  kStopped,
  kMixed,   ///< the files of one look contradict each other: it ran or slept in between
  kUnseen,  ///< asleep, and we may not see in what
  kOther,
};

/// Groups of wait channels that mean one thing on all kernels; the single names change between
/// them.
enum class WchanFamily : unsigned char {
  kUnknown,
  kPipe,
  kPoll,
  kSocket,
  kFutex,
  kStorage,
  kRing,
  kTimer,
  kChild,
  kStop,
};
[[nodiscard]] WchanFamily FamilyOf(std::string_view wchan);  ///< by a part of its name

/// What the descriptors (or the futex) of a wait lead to, as far as it was resolved.
struct WaitShape {
  bool known = false;      ///< resolved: the flags below say all
  bool queue = false;      ///< something whose far end another process of the job holds
  bool own_queue = false;  ///< a pipe, socket, event without such a far end
  bool file = false;       ///< a file, directory or block device
  bool requests = false;   ///< a listening socket, or a server's end whose peer is outside
  bool client = false;     ///< a socket whose far end is outside and which we opened
  bool external = false;   ///< a terminal, or stdin from outside the job
  bool device = false;     ///< a character device such as /dev/nvidia0
  bool timer = false;      ///< timerfd, or no descriptor at all
  bool wants_write = false;
  bool shared_futex = false;
};

/// Is this class work that a filler does (or storage that it waits for), as opposed to idling?
[[nodiscard]] bool IsActive(WaitClass wait);
/// Work that is storage's: reads, opens, writes and faults.
[[nodiscard]] bool IsStorage(WaitClass wait);

/// One look at one thread. Two of the three files (stat, syscall, wchan) must agree that it sleeps:
/// they are read some microseconds apart.
[[nodiscard]] WaitClass Classify(const ThreadSample& sample, WchanFamily family,
                                 const WaitShape& shape);

}  // namespace gpuwhy
