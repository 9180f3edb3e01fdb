// Raw samples as plain structs, one per kind of thing that a collector reads. No interpretation
// here: what a number means is derive/'s business. Every struct that carries `at` was read at that
// instant.
//
// Names (wait channels, paths, commands) are interned: a NameId indexes Capture::names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/reading.h"
#include "base/time.h"

namespace gpuwhy {

using NameId = std::uint32_t;
inline constexpr NameId kNoName = 0;  ///< Capture::names[0] is always ""

// ---- host
// ------------------------------------------------------------------------------------------------

struct HostInfo {
  std::string kernel;             ///< uname -r
  std::string machine;            ///< "x86_64", "aarch64": decides what a system call number means
  std::uint32_t cpus_online = 0;  ///< 0: unknown
  std::uint32_t page_size = 4096;
  std::uint32_t ticks_per_second = 100;  ///< USER_HZ, the unit of /proc/stat
  std::string id;                        ///< keyed hash of the host's identity; never its name
  friend bool operator==(const HostInfo&, const HostInfo&) = default;
};

/// One line "cpu" of /proc/stat, in ticks since boot, and the counters below it.
struct CpuSample {
  MonoTime at;
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0,
                steal = 0;
  std::uint64_t context_switches = 0;
  std::uint32_t running = 0, blocked = 0;
  friend bool operator==(const CpuSample&, const CpuSample&) = default;
};

enum class PsiResource : unsigned char { kCpu = 0, kIo = 1, kMemory = 2 };

/// /proc/pressure/X or a cgroup's X.pressure: total stall time since boot, in microseconds.
struct PsiSample {
  MonoTime at;
  PsiResource resource = PsiResource::kCpu;
  NameId cgroup = kNoName;  ///< kNoName: the whole host
  std::uint64_t some_us = 0;
  Reading<std::uint64_t> full_us;  ///< older kernels have no "full" for the CPU
  friend bool operator==(const PsiSample&, const PsiSample&) = default;
};

struct DeviceNumber {
  std::uint32_t major = 0, minor = 0;
  friend auto operator<=>(const DeviceNumber&, const DeviceNumber&) = default;
};

/// A line of /proc/diskstats.
struct BlockSample {
  MonoTime at;
  DeviceNumber device;
  NameId name = kNoName;
  std::uint64_t reads = 0, read_sectors = 0, read_ms = 0;
  std::uint64_t writes = 0, write_sectors = 0, write_ms = 0;
  std::uint64_t in_flight = 0, busy_ms = 0, weighted_ms = 0;
  friend bool operator==(const BlockSample&, const BlockSample&) = default;
};

/// What one block device lies on: a partition on its disk, a mapped or striped device on its parts
/// (one record each). Requests that a limit holds back wait at the device that the limit names,
/// which often is not the one that is mounted. Whole disks have no record.
struct BlockLayer {
  DeviceNumber device, below;
  Reading<bool> known;  ///< Missing: what lies below could not be read; `below` says nothing
  friend bool operator==(const BlockLayer&, const BlockLayer&) = default;
};

/// A line of a process's mountinfo. mount_id joins an fd's fdinfo without touching the file system.
struct Mount {
  std::int32_t pid = 0;  ///< whose mount namespace this was read in
  std::int32_t mount_id = 0, parent_id = 0;
  DeviceNumber device;
  NameId root = kNoName, mount_point = kNoName, fs_type = kNoName, source = kNoName,
         options = kNoName;
  friend bool operator==(const Mount&, const Mount&) = default;
};

// ---- processes and threads
// -------------------------------------------------------------------------------

struct CgroupRef {
  NameId controllers = kNoName;  ///< "cpu,cpuacct"; kNoName for the unified hierarchy
  NameId path = kNoName;
  friend bool operator==(const CgroupRef&, const CgroupRef&) = default;
};

/// A process of the job, or a candidate of discovery, as first seen. Identity is (pid,
/// start_ticks).
struct ProcessSeen {
  MonoTime at;
  std::int32_t pid = 0, ppid = 0, pgrp = 0, session = 0;
  std::uint64_t start_ticks = 0;  ///< after boot, in USER_HZ
  std::uint32_t uid = 0;
  NameId command = kNoName;     ///< comm: at most 15 bytes
  NameId executable = kNoName;  ///< exe link; kNoName without rights
  std::uint32_t threads = 0;
  Reading<std::uint32_t> cpus_allowed;
  std::vector<CgroupRef> cgroups;
  bool maps_cuda = false;  ///< libcuda is mapped or /dev/nvidia* is open
  Reading<bool>
      waits_visible;  ///< may syscall and wchan be read? Missing{kNoPermission} says why not
  NameId working_folder = kNoName;  ///< cwd link; kNoName without rights
  bool maps_framework = false;      ///< a library such as torch, TensorFlow, JAX or CUDA's runtime
  friend bool operator==(const ProcessSeen&, const ProcessSeen&) = default;
};

/// Exact counters of one thread: /proc/PID/task/TID/schedstat, status. Monotonic while the thread
/// lives.
struct ThreadCounters {
  MonoTime at;
  std::int32_t pid = 0, tid = 0;
  Reading<std::uint64_t> run_ns,
      delay_ns;  ///< on a CPU; runnable but not on one (run queue and quota alike)
  Reading<std::uint64_t> voluntary, involuntary;  ///< context switches
  friend bool operator==(const ThreadCounters&, const ThreadCounters&) = default;
};

/// Per process: /proc/PID/io, and faults and memory of stat and status.
struct ProcessCounters {
  MonoTime at;
  std::int32_t pid = 0;
  Reading<std::uint64_t> read_chars, read_calls, read_bytes;  ///< rchar, syscr, read_bytes
  Reading<std::uint64_t> write_chars, write_calls, write_bytes;
  Reading<std::uint64_t> major_faults;
  Reading<std::uint64_t> resident_kib, swapped_kib;
  /// CPU time in USER_HZ: of the process with its ended threads; of its children that ended and
  /// were waited for, with all that those had waited for themselves.
  Reading<std::uint64_t> cpu_ticks, children_ticks;
  friend bool operator==(const ProcessCounters&, const ProcessCounters&) = default;
};

/// System calls that decide what a wait means. Stored in recordings: append only.
enum class Syscall : unsigned char {
  kOther = 0,
  kNone,  ///< kNone: asleep outside any call (number -1): a page fault
  kRead,
  kPread,
  kReadv,
  kPreadv,
  kWrite,
  kPwrite,
  kWritev,
  kPwritev,
  kSendfile,
  kSplice,
  kCopyFileRange,
  kOpen,
  kOpenat,
  kOpenat2,
  kStat,
  kLstat,
  kFstat,
  kNewfstatat,
  kStatx,
  kAccess,
  kReadlink,
  kGetdents,
  kUnlink,
  kRename,
  kMkdir,
  kCreat,
  kTruncate,
  kFsync,
  kFdatasync,
  kSync,
  kSyncFileRange,
  kMsync,
  kIoUringEnter,
  kIoGetevents,
  kFutex,
  kFutexWaitv,
  kPoll,
  kPpoll,
  kSelect,
  kPselect,
  kEpollWait,
  kEpollPwait,
  kRecvfrom,
  kRecvmsg,
  kRecvmmsg,
  kSendto,
  kSendmsg,
  kSendmmsg,
  kAccept,
  kAccept4,
  kConnect,
  kSemop,
  kSemtimedop,
  kMsgrcv,
  kMsgsnd,
  kMqTimedreceive,
  kMqTimedsend,
  kNanosleep,
  kClockNanosleep,
  kPause,
  kSigsuspend,
  kSigtimedwait,
  kWait4,
  kWaitid,
  kFlock,
  kFcntl,
  kVfork,
  kIoctl,
  kClose,
  kMmap,
  kMunmap,
};

enum class SyscallState : unsigned char {
  kNotRead = 0,
  kRunning = 1,  ///< the kernel said "running": on a CPU or runnable
  kBlocked = 2,  ///< in `call` (kNone: in a page fault)
  kDenied = 3,
  kGone = 4,  ///< the thread ended
};

enum class WchanState : unsigned char {
  kNotRead = 0,
  kName = 1,
  kZero = 2,    ///< "0" although we may read it: it ran, or the race between two files
  kDenied = 3,  ///< "0" or an error because we may not
};

/// One look at one thread. Threads of one process looked at in one go share `tick`.
struct ThreadSample {
  MonoTime at;
  std::uint32_t tick = 0;
  std::int32_t pid = 0, tid = 0;
  char state = 0;  ///< letter of /proc/.../stat; 0: not read (the other two agreed)
  SyscallState call_state = SyscallState::kNotRead;
  Syscall call = Syscall::kOther;
  WchanState wchan_state = WchanState::kNotRead;
  NameId wchan = kNoName;
  std::uint32_t detail = 0;  ///< index into Capture::details; 0: none
  friend bool operator==(const ThreadSample&, const ThreadSample&) = default;
};

enum class FdAccess : unsigned char { kRead = 0, kWrite = 1, kBoth = 2, kUnknown = 3 };

/// A descriptor as its link and fdinfo show it; never by stat.
struct FdRef {
  std::int32_t fd = -1;
  NameId target = kNoName;  ///< "/data/a", "pipe:[7]", "socket:[8]", "anon_inode:[eventpoll]", ...
  FdAccess access = FdAccess::kUnknown;
  std::int32_t mount_id = 0;  ///< 0: unknown
  std::uint64_t inode = 0;    ///< fdinfo ino; 0: unknown (kernels before 5.14)
  std::int64_t eventfd_id = -1;
  std::vector<std::int32_t> epoll_targets;  ///< tfd lines of an epoll's fdinfo
  friend bool operator==(const FdRef&, const FdRef&) = default;
};

/// What a blocked system call waits for, resolved when it was seen. Interned: equal details share
/// an index.
struct WaitDetail {
  std::int32_t pid = 0;
  std::vector<FdRef> fds;    ///< one for read(fd); the watched ones for poll, select and epoll
  bool wants_write = false;  ///< poll for POLLOUT only, or a write call
  Reading<std::uint64_t> futex_address;
  bool futex_private = false;
  NameId path =
      kNoName;  ///< of a blocked open or stat, as the job spelled it, made absolute by cwd or dirfd
  Reading<std::int32_t> sysv_id;
  bool timer_only = false;  ///< no descriptor at all: a sleep, poll(0 fds), select(NULL)
  Reading<bool> resolved;   ///< Missing says what could not be read and why
  friend bool operator==(const WaitDetail&, const WaitDetail&) = default;
};

/// One descriptor of a process of the job: who holds which end of what.
struct FdSeen {
  MonoTime at;
  std::int32_t pid = 0;
  FdRef ref;
  friend bool operator==(const FdSeen&, const FdSeen&) = default;
};

/// A shared mapping (flag 's' in maps): the key by which futexes in it are matched between
/// processes.
struct SharedRegion {
  MonoTime at;
  std::int32_t pid = 0;
  std::uint64_t start = 0, end = 0, offset = 0;
  DeviceNumber device;
  std::uint64_t inode = 0;
  NameId path = kNoName;
  friend bool operator==(const SharedRegion&, const SharedRegion&) = default;
};

enum class SocketKind : unsigned char { kUnix = 0, kTcp = 1, kUdp = 2 };

struct SocketSeen {
  MonoTime at;
  std::uint64_t inode = 0;
  SocketKind kind = SocketKind::kUnix;
  std::uint64_t peer_inode = 0;  ///< 0: none found on this host
  bool listening = false;
  bool server_side =
      false;                ///< TCP: its local port is one that a listening socket of this host has
  NameId remote = kNoName;  ///< TCP/UDP: "address:port" of the far end; kNoName for none
  friend bool operator==(const SocketSeen&, const SocketSeen&) = default;
};

enum class SysvKind : unsigned char { kSemaphore = 0, kQueue = 1 };

/// A process that was the last to operate on a System V semaphore of a set, or to send to or take
/// from a queue, while a process of the job waited on it: /proc has no list of their users.
struct SysvUser {
  MonoTime at;
  SysvKind kind = SysvKind::kSemaphore;
  std::int32_t id = 0, pid = 0;
  friend bool operator==(const SysvUser&, const SysvUser&) = default;
};

/// CPU bandwidth of one cgroup: cpu.stat and cpu.max (v2) or cpu.cfs_* (v1).
struct CgroupCpuSample {
  MonoTime at;
  NameId path = kNoName;
  Reading<std::uint64_t> periods, throttled_periods, throttled_us, usage_us;
  Reading<std::uint64_t> quota_us;  ///< per period; Missing{kNotPresent}: no quota
  Reading<std::uint64_t> period_us;
  friend bool operator==(const CgroupCpuSample&, const CgroupCpuSample&) = default;
};

/// What one cgroup may read from one device, and what it did read: io.max and io.stat (v2) or
/// blkio.throttle.* (v1). The wait is in the limit, before the device: /proc/diskstats does not
/// know of it.
struct CgroupIoSample {
  MonoTime at;
  NameId path = kNoName;
  DeviceNumber device;
  Reading<std::uint64_t> read_ops_limit,
      read_bytes_limit;                      ///< per second; Missing{kNotPresent}: none
  Reading<std::uint64_t> reads, read_bytes;  ///< since the group was made
  friend bool operator==(const CgroupIoSample&, const CgroupIoSample&) = default;
};

// ---- the tool's own account
// ------------------------------------------------------------------------------

/// How one source fared: for `overhead`, for the unknowns, and for trust in what it gave.
struct SourceReport {
  std::string name;
  std::uint64_t asked = 0, answered = 0, late = 0, lost = 0;
  Nanos cpu{0};                  ///< CPU time of its worker
  Nanos period{0};               ///< cadence reached (mean); 0: asked once
  bool stuck = false;            ///< its worker never came back and was abandoned
  std::vector<Missing> missing;  ///< each different reason once
  friend bool operator==(const SourceReport&, const SourceReport&) = default;
};

}  // namespace gpuwhy
