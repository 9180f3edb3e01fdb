// /proc/pressure/{cpu,io,memory} and a cgroup's {cpu,io,memory}.pressure: stall time.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/reading.h"
#include "base/result.h"
#include "capture/samples.h"

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

struct PressureFile {
  PsiResource resource = PsiResource::kCpu;
  std::string_view name;  ///< in its folder: /proc/pressure/cpu, GROUP/cpu.pressure
};
inline constexpr std::array<PressureFile, 3> kPressureFiles = {
    {{PsiResource::kCpu, "cpu"}, {PsiResource::kIo, "io"}, {PsiResource::kMemory, "memory"}}};

/// path: for error texts only.
[[nodiscard]] Result<Pressure> ParsePressure(std::string_view text, const char* path);
/// The stall times as measured; the time and the group are the caller's to fill in.
[[nodiscard]] PsiSample ToSample(PsiResource resource, const Pressure& pressure);

}  // namespace gpuwhy
