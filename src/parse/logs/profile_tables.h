// Tables that profilers of frameworks print: PyTorch's key averages, Lightning's simple profiler.
#pragma once

#include <string_view>
#include <vector>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// At most 16 tables of at most 512 rows. A total printed without its table makes a table without
/// rows.
[[nodiscard]] std::vector<ProfilerTable> FindProfilerTables(std::string_view text);

}  // namespace gpuwhy
