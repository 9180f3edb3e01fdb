// Step times, rates, losses and phases out of the log of a training loop, of any framework.
#pragma once

#include <optional>
#include <string_view>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// nullopt where no line tells of a step, an epoch or a loss. One pass, bounded memory. Lines of
/// validation are left out. A running mean that a line prints beside a value is kept apart.
[[nodiscard]] std::optional<TrainingLog> ParseTrainingLog(std::string_view text);

}  // namespace gpuwhy
