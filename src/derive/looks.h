// What each process of the job did at each look: the process, not the thread, is the unit. A
// trainer's main thread may be two private futexes away from the thread that holds the provable
// end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "capture/capture.h"
#include "derive/objects.h"
#include "derive/process_table.h"
#include "derive/wait_class.h"

namespace gpuwhy {

/// Where looks come from, for the facts and edges that are counted from them.
inline constexpr const char* kWaits = "/proc/PID/task/*/{stat,syscall,wchan}";

enum class ProcessState : unsigned char {
  kActive,    ///< some thread runs or is in storage
  kStarved,   ///< waits for what active processes of the job fill
  kFull,      ///< waits because nobody drains its queue
  kRequests,  ///< waits for clients or a timer
  kUnproven,  ///< waits for something whose far end can't be proven
  kUnseen,    ///< asleep; in what could not be read
  kOther,
};
inline constexpr std::size_t kProcessStates = 7;

/// Parts of a process's time that its active threads spent, equal weight each.
enum class Work : unsigned char { kRun, kRead, kOpen, kWrite, kFault, kMixed };
inline constexpr std::size_t kWorks = 6;
[[nodiscard]] Work WorkOf(WaitClass wait);  ///< precondition: IsActive(wait)

struct ThreadInLook {
  std::uint32_t tick = 0;
  std::size_t process = kNoProcess;
  std::int32_t tid = 0;
  WaitClass wait = WaitClass::kOther;
  std::uint32_t detail = 0;
  MonoTime at;
  /// The system call could not be read: the wait channel stands for it, and of a queue wait all
  /// that the process holds of that kind may be what is waited for.
  bool by_channel = false;
};

struct ProcessLook {
  std::uint32_t tick = 0;
  std::size_t process = kNoProcess;
  std::size_t first = 0, last = 0;  ///< [first, last) of Looks::threads
  ProcessState state = ProcessState::kOther;
  std::uint32_t active_threads = 0;
  std::array<double, kWorks> work{};  ///< sums to 1 where active
};

/// waiter, far end, object.
using EdgeKey = std::tuple<std::size_t, std::size_t, std::uint32_t>;

struct ProcessSums {
  std::uint64_t looks = 0;
  std::array<std::uint64_t, kProcessStates> states{};
  std::array<double, kWorks> work{};
  std::uint64_t active_threads = 0;  ///< summed over its active looks
  MonoTime first, last;
  std::uint64_t main_futex_helped = 0;  ///< main thread in a private futex while another works
  std::uint64_t waits_for_child = 0;    ///< looks in which its main thread waits for a child
  std::uint64_t timer = 0;              ///< of its kRequests looks: those in a timer
  std::uint64_t stopped = 0;            ///< by a signal or a debugger: its main thread
  std::uint64_t unnamed = 0;  ///< of its kOther looks: in a lock or a call that names no resource
  std::uint64_t external = 0, network = 0;  ///< of its kOther looks
  std::uint64_t storage_by_channel = 0;     ///< storage waits of threads that the wait channel told
  std::uint64_t idle_queue = 0;  ///< of its kOther looks: its queue is empty and nobody works on it

  [[nodiscard]] std::uint64_t Count(ProcessState state) const {
    return states[static_cast<std::size_t>(state)];
  }
  [[nodiscard]] double Sum(Work part) const { return work[static_cast<std::size_t>(part)]; }
};

struct LookOptions {
  MonoTime from, to;
  /// Whose waits count as being starved: those that are ended again and again (more than one
  /// voluntary switch a second). By index of processes.
  std::vector<bool> wakes;
  /// Does a process that is itself starved pass the blame on? Discovery wants direct edges only.
  bool transitive = true;
};

struct Looks {
  std::vector<ThreadInLook> threads;               ///< by tick, process, tid
  std::vector<ProcessLook> processes;              ///< by tick, process
  std::vector<ProcessSums> sums;                   ///< by index of processes
  std::map<EdgeKey, std::uint64_t> starved, full;  ///< looks in which the edge held
  /// Looks in which the waiter's queue was empty while none of those who fill it worked.
  std::map<EdgeKey, std::uint64_t> idle;
  std::uint64_t ticks = 0;
  std::uint64_t by_channel = 0;  ///< looks at threads that only the wait channel explains
};

/// Only processes with members[index] are looked at.
[[nodiscard]] Looks LookAt(const Capture& capture, const ProcessTable& processes,
                           const std::vector<bool>& members, const ObjectIndex& objects,
                           const LookOptions& options);

}  // namespace gpuwhy
