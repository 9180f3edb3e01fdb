// Lists of CPUs as /sys/devices/system/cpu/online and Cpus_allowed_list write them: "0-3,8".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gpuwhy {

struct CpuRange {
  std::uint32_t first = 0, last = 0;  ///< both in it
  friend bool operator==(const CpuRange&, const CpuRange&) = default;
};

/// Ascending ranges that do not overlap, as the kernel writes them; else an Error. An empty text is
/// an empty list.
[[nodiscard]] Result<std::vector<CpuRange>> ParseCpuList(std::string_view text);
[[nodiscard]] std::uint32_t CountCpus(const std::vector<CpuRange>& ranges);

}  // namespace gpuwhy
