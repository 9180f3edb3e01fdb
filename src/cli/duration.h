// Durations as people type them.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace gpuwhy {

/// "10", "10s", "500ms", "2m", "1.5h"; nullopt where it is none, or is not within 500 ms and 24 h.
[[nodiscard]] std::optional<Nanos> ParseDuration(std::string_view text);

}  // namespace gpuwhy
