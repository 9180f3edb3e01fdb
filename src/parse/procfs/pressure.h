// /proc/pressure/{cpu,io,memory} and a cgroup's X.pressure: stall time.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/reading.h"
#include "base/result.h"

namespace gpuwhy {

struct PressureLine {
  /// Share of the time, in per cent, averaged by the kernel over 10, 60 and 300 s.
  Reading<double> avg10, avg60, avg300;
  std::uint64_t total_us = 0;  ///< since boot, or since the cgroup was made
  friend bool operator==(const PressureLine&, const PressureLine&) = default;
};

struct Pressure {
  PressureLine some;
  /// Missing{kNotSupported} where there is no such line: the CPU's before 5.13. From there on the
  /// CPU's line for the whole host says 0 because it is undefined; for a cgroup it is measured.
  Reading<PressureLine> full;
};

/// path: for error texts only.
[[nodiscard]] Result<Pressure> ParsePressure(std::string_view text, const char* path);

}  // namespace gpuwhy
