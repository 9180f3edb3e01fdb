// From what profiler traces say to facts: the same catalogue as for watched jobs. Pure.
//
// Subjects: the rank where the trace says it and no other file does, else the file. Times are on
// the trace's own axis. Without a measured step no share is given: the whole span holds start-up
// and the profiler's own.
#pragma once

#include "facts/fact_set.h"
#include "trace/analysis.h"

namespace gpuwhy {

/// Shares of the step are 0..1, times in seconds. Missing where the trace lacks what is needed (no
/// markers, no host side); nothing_seen where it holds no device work. The facts refer to nothing
/// in the report.
[[nodiscard]] FactSet DeriveTrace(const trace::TraceReport& report);

/// The subject of each file, in their order.
[[nodiscard]] std::vector<Subject> SubjectsOf(const trace::TraceReport& report);

}  // namespace gpuwhy
