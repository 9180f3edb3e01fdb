// /proc/PID/cgroup, and the CPU bandwidth files of a cgroup (both versions).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"

namespace gpuwhy {

struct CgroupLine {
  std::string controllers;  ///< "cpu,cpuacct", "name=systemd"; empty: the unified hierarchy
  std::string path;         ///< absolute in its hierarchy
  /// Whether controller is one of controllers.
  [[nodiscard]] bool Has(std::string_view controller) const;
  friend bool operator==(const CgroupLine&, const CgroupLine&) = default;
};

/// Lines "id:controllers:path"; others are left out.
[[nodiscard]] std::vector<CgroupLine> ParsePidCgroup(std::string_view text);

struct CgroupCpuStat {
  Reading<std::uint64_t> periods, throttled_periods;
  Reading<std::uint64_t> throttled_us;  ///< summed over CPUs: may exceed wall time
  Reading<std::uint64_t> usage_us;      ///< version 2 only
};

/// cpu.stat of either version.
[[nodiscard]] CgroupCpuStat ParseCgroupCpuStat(std::string_view text);

struct CpuQuota {
  Reading<std::uint64_t> quota_us;  ///< Missing{kNotPresent}: no quota
  Reading<std::uint64_t> period_us;
};

/// cpu.max of version 2: "max 100000", "20000 100000".
[[nodiscard]] CpuQuota ParseCpuMax(std::string_view text);
/// cpu.cfs_quota_us and cpu.cfs_period_us of version 1; a quota of -1 is none.
[[nodiscard]] CpuQuota ParseCfsQuota(std::string_view quota, std::string_view period);

}  // namespace gpuwhy
