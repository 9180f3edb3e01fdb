// What each host thread was doing at each instant, by its innermost recorded event: the ground on
// which idle device time is explained.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/timeline.h"

namespace gpuwhy::trace {

/// What a host thread does. kNone: nothing was recorded for it.
enum class Doing : unsigned char {
  kNone,
  kHost,
  kInputWait,
  kLaunch,
  kSync,
  kAlloc,
  kCompile,
  kOtherPhase
};

struct Activity {
  std::int64_t start = 0, end = 0;
  Doing doing = Doing::kNone;
  std::uint32_t event = 0;  ///< index into Timeline::host: the innermost event
};

/// By a name and kind alone; kHost for what is no more than computing.
[[nodiscard]] Doing Classify(HostKind kind, std::string_view name);

/// Disjoint, sorted activities, one list a thread of the timeline. An enclosing input wait,
/// compilation or other phase passes its class on to what happens inside it, except to launches,
/// synchronisations and allocations.
[[nodiscard]] std::vector<std::vector<Activity>> ActivitiesByThread(const Timeline& timeline);

}  // namespace gpuwhy::trace
