// What moved between two traces, as gpuwhy.trace-compare/1.
#pragma once

#include <string>

#include "trace/compare.h"

namespace gpuwhy {

[[nodiscard]] std::string RenderCompareJson(const trace::TraceComparison& comparison,
                                            const std::string& tool_version);

}  // namespace gpuwhy
