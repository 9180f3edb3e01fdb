// The exit code of diagnose: what a script asks gpuwhy.
#pragma once

#include "diagnose/diagnosis.h"

namespace gpuwhy {

inline constexpr int kExitNothing = 0;     ///< no finding asks for the action of --fail-on
inline constexpr int kExitFound = 1;       ///< one does
inline constexpr int kExitUsage = 2;       ///< wrong use, unreadable input, unwritable output
inline constexpr int kExitUnmeasured = 3;  ///< nothing could be measured

/// The least urgent action that counts.
enum class FailOn : unsigned char { kAny, kFix, kDrain };

/// job.healthy as the verdict is kExitNothing, whatever else was seen.
[[nodiscard]] int ExitCode(const Diagnosis& diagnosis, FailOn fail_on);

}  // namespace gpuwhy
