// One look at one thread: in which call it is blocked, in which wait channel, in which state.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "capture/interner.h"
#include "collect/procfs/budgeted_file.h"
#include "os/host.h"
#include "parse/procfs/pid_wait.h"

namespace gpuwhy {

/// What may be read of a process's waits. The kernel prints wchan "0" without an error to those who
/// may not see it, so that the right has to be known beforehand.
struct WaitRights {
  bool calls = false;     ///< syscall: ptrace attach rights
  bool channels = false;  ///< wchan: ptrace read rights
};

/// Holds a status file also where a user is in hundreds of groups: its last lines are the ones that
/// count.
inline constexpr std::size_t kStatusBuffer = 8192;

struct ThreadFiles {
  ThreadFiles(std::int32_t process, std::int32_t thread, DescriptorBudget& budget);
  std::int32_t pid, tid;
  BudgetedFile call, wchan, stat, schedstat, status;
};

/// What one look showed; call is valid where sample.call_state is kBlocked.
struct ThreadLook {
  ThreadSample sample;
  BlockedCall call;
};

class ThreadReader {
 public:
  /// host and interner must outlive the reader. machine: see MeaningOf.
  ThreadReader(Host host, Interner& interner, std::string machine);

  /// Reads as few files as decide the matter: `syscall`, then wchan where it is blocked, then stat
  /// where those two do not agree. Without the right to syscall: stat and wchan.
  ThreadLook Look(ThreadFiles& thread, WaitRights rights);
  /// schedstat, and with_switches also status. Missing readings say why.
  ThreadCounters Counters(ThreadFiles& thread, bool with_switches);

 private:
  void TakeCall(ThreadFiles& thread, ThreadLook& look);
  void TakeWchan(ThreadFiles& thread, bool may_read, ThreadSample& sample);
  void TakeState(ThreadFiles& thread, ThreadSample& sample);

  Host host_;
  Interner& interner_;
  std::string machine_;
  std::array<char, kStatusBuffer> buffer_{};
};

}  // namespace gpuwhy
