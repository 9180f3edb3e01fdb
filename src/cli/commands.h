// The commands. Each prints its result to stdout or --output and all else to stderr, and returns
// the exit code.
#pragma once

#include "cli/options.h"

namespace gpuwhy {

/// Exit codes: cli/exit_code.h and the footer of each command's help.
[[nodiscard]] int RunDiagnose(const DiagnoseOptions& options);
[[nodiscard]] int RunCheck(const CheckOptions& options);
[[nodiscard]] int RunRecord(const RecordOptions& options);
[[nodiscard]] int RunTrace(const TraceOptions& options);
[[nodiscard]] int RunTraceCompare(const TraceOptions& options);
[[nodiscard]] int RunExplain(const ExplainOptions& options);

}  // namespace gpuwhy
