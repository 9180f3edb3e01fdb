// Builds captures by hand, for tests: processes, descriptors and what each thread did at each look.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "capture/capture.h"

namespace gpuwhy {

/// What one thread is seen doing at one look.
struct Doing {
  char state = 'R';
  SyscallState call_state = SyscallState::kRunning;
  Syscall call = Syscall::kOther;
  WchanState wchan_state = WchanState::kZero;
  std::string wchan;
  std::uint32_t detail = 0;
};

[[nodiscard]] Doing Running();
[[nodiscard]] Doing Blocked(Syscall call, const std::string& wchan, std::uint32_t detail = 0,
                            char state = 'S');
[[nodiscard]] Doing Denied();
/// Asleep, and only the wait channel may be read (Yama's ptrace_scope 1).
[[nodiscard]] Doing InChannel(const std::string& wchan, char state = 'S');

class CaptureBuilder {
 public:
  /// A window of [100 s, 110 s], --pid job_pid (0: none), 50 ms from look to look.
  explicit CaptureBuilder(std::int32_t job_pid);

  ProcessSeen& Process(std::int32_t pid, std::int32_t ppid, const std::string& command);
  CaptureBuilder& Fd(std::int32_t pid, std::int32_t fd, const std::string& target, FdAccess access);
  CaptureBuilder& Mapping(std::int32_t pid, std::uint64_t start, std::uint64_t inode,
                          const std::string& path);
  CaptureBuilder& MountAt(std::int32_t pid, std::int32_t id, const std::string& point,
                          const std::string& type);
  SocketSeen& Socket(std::uint64_t inode, SocketKind kind);
  /// Deltas over the window, of thread tid: seconds on a CPU, seconds runnable, voluntary switches.
  CaptureBuilder& Used(std::int32_t pid, std::int32_t tid, double run_s, double delay_s,
                       std::uint64_t wakes);
  CaptureBuilder& Quota(const std::string& path, std::uint64_t quota_us, std::uint64_t periods,
                        std::uint64_t throttled);
  /// Of the 8 CPUs this many were used over the window.
  CaptureBuilder& CpusBusy(double cpus);
  /// What a process and its ended children used over the window, in ticks of 10 ms, after some
  /// before.
  CaptureBuilder& Ticks(std::int32_t pid, std::uint64_t own, std::uint64_t children);
  /// A disk that finishes `reads` over the window, each after await_ms, one after the other.
  CaptureBuilder& Disk(DeviceNumber device, const std::string& name, std::uint64_t reads,
                       double await_ms);
  /// A limit of `path` on a device, in reads a second, and the reads that it let pass in the
  /// window.
  CaptureBuilder& ReadLimit(const std::string& path, DeviceNumber device, std::uint64_t limit,
                            std::uint64_t reads);

  [[nodiscard]] std::uint32_t OnFd(std::int32_t pid, std::int32_t fd, const std::string& target,
                                   FdAccess access = FdAccess::kRead, std::int32_t mount_id = 0);
  [[nodiscard]] std::uint32_t OnFds(std::int32_t pid, const std::vector<std::string>& targets);
  [[nodiscard]] std::uint32_t OnPath(std::int32_t pid, const std::string& path);
  [[nodiscard]] std::uint32_t OnFutex(std::int32_t pid, std::uint64_t address, bool is_private);
  [[nodiscard]] std::uint32_t OnNothing(std::int32_t pid);  ///< a timer

  /// One look at tick (0, 1, ...) of the window.
  CaptureBuilder& Look(std::int32_t pid, std::int32_t tid, std::uint32_t tick, const Doing& doing);
  /// The same at every tick of [0, ticks).
  CaptureBuilder& Looks(std::int32_t pid, std::int32_t tid, std::uint32_t ticks,
                        const Doing& doing);

  [[nodiscard]] NameId Name(const std::string& text);
  Capture capture;

 private:
  std::uint32_t Add(WaitDetail detail);
  std::map<std::string, NameId> names_;
};

/// A trainer (pid 10) that reads pipe 77 and `workers` children (11, 12, ...) that write it, each
/// with its descriptors. Counters are left to the test.
[[nodiscard]] CaptureBuilder PipeJob(int workers);
/// The trainer's wait for that pipe.
[[nodiscard]] Doing WaitsForPipe(CaptureBuilder& builder);

}  // namespace gpuwhy
