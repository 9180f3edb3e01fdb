// Refused device allocations, as PyTorch, TensorFlow and JAX word them.
#pragma once

#include <string_view>
#include <vector>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// At most 64, in order. The figures of one message may be wrapped over several lines.
[[nodiscard]] std::vector<RefusedAllocation> FindRefusedAllocations(std::string_view text);

}  // namespace gpuwhy
