// What traces say as JSON, schema gpuwhy.trace/1 (docs/gpuwhy.trace.1.schema.json). Keys are only
// ever added.
#pragma once

#include <string>

#include "diagnose/diagnosis.h"
#include "trace/analysis.h"

namespace gpuwhy {

/// Indented, keys in the order of the schema, ends with a newline. Texts of the trace are made
/// printable. diagnosis: of the same report.
[[nodiscard]] std::string RenderTraceJson(const trace::TraceReport& report,
                                          const Diagnosis& diagnosis);

}  // namespace gpuwhy
