// Which processes go on waking: a wait that is never ended starves nobody (a watcher, a sentinel).
#pragma once

#include <vector>

#include "derive/counters.h"

namespace gpuwhy {

/// More voluntary switches per second than this. Measured: it drops Python's resource tracker,
/// pipes to sentinels and shells over pipelines, and no starved consumer.
inline constexpr double kMinWakes = 1;

/// By index, as uses. Where switches were not counted: no.
[[nodiscard]] inline std::vector<bool> WakesOften(const std::vector<CpuUse>& uses) {
  std::vector<bool> wakes(uses.size(), false);
  for (std::size_t i = 0; i < uses.size(); ++i) {
    wakes[i] = uses[i].wakes.has() && *uses[i].wakes > kMinWakes;
  }
  return wakes;
}

}  // namespace gpuwhy
