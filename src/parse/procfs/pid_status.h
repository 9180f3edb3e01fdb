// /proc/PID/status, /proc/PID/task/TID/status, and the counters in schedstat, io and limits.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "base/result.h"

namespace gpuwhy {

/// What is not in the text stays Missing{kNotPresent} (a zombie has no memory, old kernels no
/// NSpid).
struct PidStatus {
  Reading<std::int32_t> process;  ///< Tgid: differs from the pid where that is a thread's
  Reading<std::uint32_t> uid;     ///< effective
  Reading<std::uint32_t> threads;
  Reading<std::uint32_t> cpus_allowed;  ///< how many
  Reading<std::uint64_t> resident_kib, swapped_kib;
  Reading<std::uint64_t> voluntary, involuntary;  ///< context switches of this thread
  std::vector<std::int32_t> namespace_pids;       ///< outermost first; empty: unknown
};

/// Never fails: each line stands for itself.
[[nodiscard]] PidStatus ParsePidStatus(std::string_view text);

struct SchedStat {
  std::uint64_t run_ns = 0;    ///< on a CPU
  std::uint64_t delay_ns = 0;  ///< runnable, not on one
  std::uint64_t slices = 0;    ///< times it was put on a CPU
};
[[nodiscard]] Result<SchedStat> ParseSchedStat(std::string_view text);

/// /proc/PID/io. read_bytes and write_bytes are those that reached a storage layer.
struct PidIo {
  Reading<std::uint64_t> read_chars, read_calls, read_bytes;
  Reading<std::uint64_t> write_chars, write_calls, write_bytes;
};
[[nodiscard]] PidIo ParsePidIo(std::string_view text);

/// Soft limit of open files in /proc/PID/limits; "unlimited" is the largest value.
[[nodiscard]] Reading<std::uint64_t> ParseOpenFilesLimit(std::string_view text);
/// Soft limit of memory that may be locked, in bytes; "unlimited" is the largest value.
[[nodiscard]] Reading<std::uint64_t> ParseLockedMemoryLimit(std::string_view text);

}  // namespace gpuwhy
