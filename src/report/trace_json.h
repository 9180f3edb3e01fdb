// What traces say as JSON, schema gpuwhy.trace/1 (docs/gpuwhy.trace.1.schema.json). Keys are only
// ever added.
#pragma once

#include <string>

#include "trace/analysis.h"

namespace gpuwhy {

/// Indented, keys in the order of the schema, ends with a newline. Texts of the trace are made
/// printable. findings are empty: rules make them from facts.
[[nodiscard]] std::string RenderTraceJson(const trace::TraceReport& report,
                                          const std::string& tool_version);

}  // namespace gpuwhy
