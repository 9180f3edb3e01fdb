// /proc/stat: CPU time of the whole host.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "capture/samples.h"

namespace gpuwhy {

struct ProcStat {
  CpuSample totals;        ///< `at` is left to the caller
  std::uint32_t cpus = 0;  ///< lines "cpuN": CPUs online
};

/// Columns that an old kernel does not print yet (iowait before 2.5.41, irq and softirq before
/// 2.6.0, steal before 2.6.11) are 0: such a kernel counts that time in another column, so the sum
/// of all is right. guest and guest_nice are not read: user and nice contain them. Fails where a
/// line that every kernel since 2.6 has is absent or damaged.
[[nodiscard]] Result<ProcStat> ParseProcStat(std::string_view text);

}  // namespace gpuwhy
