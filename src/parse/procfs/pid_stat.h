// /proc/PID/stat and /proc/PID/task/TID/stat.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gpuwhy {

struct PidStat {
  std::int32_t pid = 0;
  std::string command;  ///< as the kernel keeps it: any bytes, also ')' and line ends
  char state = 0;
  std::int32_t ppid = 0, pgrp = 0, session = 0;
  bool kernel_thread = false;
  std::uint64_t major_faults = 0;
  std::uint64_t user_ticks = 0, system_ticks = 0;
  /// Of children that ended and were waited for (fields 16 and 17; the kernel writes them signed).
  std::uint64_t children_user_ticks = 0, children_system_ticks = 0;
  std::uint32_t threads = 0;
  std::uint64_t start_ticks = 0;  ///< after boot, in USER_HZ
};

/// Error: the text has no such form; where is empty.
[[nodiscard]] Result<PidStat> ParsePidStat(std::string_view text);
/// The state letter alone, for the hot path; 0 where the text has no such form.
[[nodiscard]] char ParseStateLetter(std::string_view text);

}  // namespace gpuwhy
