// What the keys of training logs mean, whichever framework prints them.
#pragma once

#include <string_view>

#include "capture/pasted_logs.h"

namespace gpuwhy {

enum class LogRole : unsigned char {
  kNone,
  kStepTime,
  kDataTime,
  kIterationTime,  ///< the step, or where a whole step is named as well the wait for data
  kStepIndex,
  kEpochIndex,
  kLoss,
  kGradNorm,
  kLossScale,
  kRate,
  kEpochTime,
  kPhase,
  kSkipped,
};

struct LogKey {
  LogRole role = LogRole::kNone;
  double scale = 1;  ///< to seconds, for times
  PhaseKind phase = PhaseKind::kOther;
};

/// A key as printed, in any case. Units in the key ("bch(ms)", "step_ms") are taken off.
[[nodiscard]] LogKey MeaningOfKey(std::string_view printed);
/// The kind of a named part of a step: "backward-params-all-reduce", "timing_s/testing".
[[nodiscard]] PhaseKind KindOfPhase(std::string_view name);

}  // namespace gpuwhy
