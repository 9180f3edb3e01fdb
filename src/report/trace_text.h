// What traces say, for a terminal: where the time of a step goes, what the device waited for, and
// what would be gained.
#pragma once

#include <string>

#include "report/text.h"
#include "trace/analysis.h"

namespace gpuwhy {

/// The answer first, as of any diagnosis, then the anatomy. diagnosis: of the same report.
[[nodiscard]] std::string RenderTraceText(const trace::TraceReport& report,
                                          const Diagnosis& diagnosis, const TextOptions& options);

}  // namespace gpuwhy
