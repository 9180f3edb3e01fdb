// What a blocked system call waits for: from its arguments to descriptors, paths, futexes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/reading.h"
#include "capture/interner.h"
#include "collect/procfs/fd_table.h"
#include "collect/procfs/region_table.h"
#include "collect/procfs/sysv_table.h"
#include "os/host.h"
#include "parse/procfs/pid_wait.h"
#include "parse/syscall_table.h"

namespace gpuwhy {

class WaitResolver {
 public:
  /// All arguments must outlive the resolver.
  WaitResolver(Host host, Interner& interner, FdTable& fds, RegionTable& regions,
               std::string machine);

  /// Index into Capture::details. call must be kInCall or kOutside. Results that can't change
  /// while the arguments are the same are kept by thread.
  std::uint32_t Resolve(std::int32_t pid, std::int32_t tid, const BlockedCall& call);
  /// Drops what is kept of a thread that ended.
  void Forget(std::int32_t pid, std::int32_t tid) { kept_.erase({pid, tid}); }

  /// Who was seen to use the System V objects waited on, each once.
  [[nodiscard]] std::vector<SysvUser> TakeSysvUsers() { return sysv_.TakeNew(); }

 private:
  struct Kept {
    BlockedCall call;
    std::uint32_t detail = 0;
    MonoTime until;
  };

  /// The detail, and for how long it holds for the same arguments.
  Nanos Describe(const BlockedCall& call, CallShape shape, WaitDetail& detail);
  Nanos AddSysv(const BlockedCall& call, WaitDetail& detail);
  Nanos AddFds(const std::vector<std::int32_t>& numbers, WaitDetail& detail);
  Nanos AddPoll(const BlockedCall& call, WaitDetail& detail);
  Nanos AddSelect(const BlockedCall& call, WaitDetail& detail);
  Nanos AddEpoll(std::int32_t fd, WaitDetail& detail);
  void AddPath(std::uint64_t folder, std::uint64_t address, WaitDetail& detail);
  Nanos AddFutex(std::uint64_t address, bool is_private, WaitDetail& detail);
  Nanos AddFutexVector(const BlockedCall& call, WaitDetail& detail);
  Result<std::string> ReadMemory(std::int32_t pid, std::uint64_t address, std::size_t length);
  Result<std::string> ReadText(std::int32_t pid, std::uint64_t address);

  Host host_;
  Interner& interner_;
  FdTable& fds_;
  RegionTable& regions_;
  SysvTable sysv_;
  std::string machine_;
  std::map<std::pair<std::int32_t, std::int32_t>, Kept> kept_;
};

}  // namespace gpuwhy
