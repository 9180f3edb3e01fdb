// Exact counters of threads and processes over the window: they need no samples and no rights.
#pragma once

#include <cstddef>
#include <vector>

#include "capture/capture.h"
#include "derive/process_table.h"
#include "facts/fact.h"

namespace gpuwhy {

/// Sums over the threads of one process (or of several, after Add). Rates are per second of the
/// window.
struct CpuUse {
  Reading<double> run;      ///< cores
  Reading<double> delay;    ///< threads that were runnable and not running, on average
  Reading<double> wakes;    ///< voluntary context switches per second
  std::size_t threads = 0;  ///< with at least one look at their counters

  /// What one lacks both lack: a sum with a hole in it is no sum.
  void Add(const CpuUse& other);
};

struct IoUse {
  Reading<double> read_chars, read_calls, read_bytes;  ///< per second
};

/// CPU time per second of the members with all their children, also those that came and went
/// between two looks: what a process used goes to its parent when that waits for it, so the sum
/// over those that live (their own time and their children's) only grows by what the job used.
/// Where children are not waited for it is what the members were seen to use, which is less.
/// Missing where no member was counted twice, or by an older recording.
[[nodiscard]] Reading<double> CpuWithChildren(const Capture& capture, const ProcessTable& processes,
                                              const std::vector<bool>& members,
                                              const Scope& window);

/// By index of processes. A process without two looks at any of its threads' counters is Missing.
[[nodiscard]] std::vector<CpuUse> CpuUses(const Capture& capture, const ProcessTable& processes,
                                          const Scope& window);
/// Summed over members; processes that hide their counters are left out, and all are Missing only
/// where every one does.
[[nodiscard]] IoUse IoOf(const Capture& capture, const ProcessTable& processes,
                         const std::vector<bool>& members, const Scope& window);

}  // namespace gpuwhy
