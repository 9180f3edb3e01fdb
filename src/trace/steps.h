// The steps of a timeline: by their markers, by ranges that repeat, or by the period of what the
// device does; and which of them say something about the others.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/anatomy.h"
#include "trace/intervals.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Why a step is left out of medians.
enum class StepUse : unsigned char { kMeasured, kWarmUp, kProfilerStart, kIncomplete };
[[nodiscard]] std::string_view Name(StepUse use);

struct Step {
  StepAnatomy anatomy;
  StepUse use = StepUse::kMeasured;
};

struct StepList {
  std::vector<Step> steps;  ///< in order of time
  std::string source;       ///< "marker", "annotation", "period"; empty: none were found
  std::string confidence;   ///< "high", "medium", "low"; empty: none were found
  /// Indices of the measured steps of median and of largest duration.
  std::optional<std::size_t> typical, worst;
};

/// From the start of the first measured step to the end of the last; all time where there is none.
[[nodiscard]] Span MeasuredWindow(const StepList& list);

/// parts are left to the caller.
[[nodiscard]] StepList FindSteps(const Timeline& timeline);

}  // namespace gpuwhy::trace
