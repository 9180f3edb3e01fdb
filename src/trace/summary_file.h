// The summary of a rank as a small file: made where its trace lies, joined with those of the other
// ranks elsewhere. Joining summaries gives what reading all traces at once gives.
//
// The format is JSON, schema gpuwhy.trace-summary/1, and ours alone: it holds the fields of
// Analysis, keys are only ever added within /1. A missing key is the field's default.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/analysis.h"

namespace gpuwhy::trace {

/// Several where a file held several traces. Names that are not UTF-8 are mended.
[[nodiscard]] std::string WriteSummary(const std::vector<Analysis>& ranks,
                                       const std::string& tool_version);
/// Error: not a summary, of a later version, or one whose numbers contradict each other. name:
/// where the text comes from, for the error.
[[nodiscard]] Result<std::vector<Analysis>> ReadSummary(std::string_view text,
                                                        const std::string& name);

}  // namespace gpuwhy::trace
