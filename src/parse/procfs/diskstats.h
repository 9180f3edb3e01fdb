// /proc/diskstats: counters of block devices and partitions since boot.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "capture/samples.h"
#include "parse/line_reader.h"

namespace gpuwhy {

struct BlockLine {
  std::string_view name;  ///< into the text that was parsed
  BlockSample counters;   ///< `at` and `name` are left to the caller
};

struct Diskstats {
  std::vector<BlockLine> devices;
  SkippedLines skipped;
};

/// Takes lines with 11 counters (kernels before 4.18), 15 and 17, and longer ones to come; what
/// stands behind the eleventh is not read. Partitions of kernels before 2.6.25 have only 4 counters
/// and are passed over. The times are 32 bit milliseconds on kernels before 5.5 and wrap after 49
/// days. Fails where no line was understood and there was one.
[[nodiscard]] Result<Diskstats> ParseDiskstats(std::string_view text);

}  // namespace gpuwhy
