// /proc/uptime.
#pragma once

#include <string_view>

#include "base/result.h"

namespace gpuwhy {

struct Uptime {
  double up_s = 0;    ///< since boot, suspend included (CLOCK_BOOTTIME), to 10 ms
  double idle_s = 0;  ///< summed over all CPUs
};

[[nodiscard]] Result<Uptime> ParseUptime(std::string_view text);

}  // namespace gpuwhy
