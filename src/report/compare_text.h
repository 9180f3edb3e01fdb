// What moved between two traces, for a terminal.
#pragma once

#include <string>

#include "report/text.h"
#include "trace/compare.h"

namespace gpuwhy {

/// The answer is in the first two lines.
[[nodiscard]] std::string RenderCompareText(const trace::TraceComparison& comparison,
                                            const TextOptions& options);

}  // namespace gpuwhy
