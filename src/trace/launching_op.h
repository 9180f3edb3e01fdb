// Which operator of a framework launched which device work.
#pragma once

#include <cstdint>
#include <vector>

#include "trace/timeline.h"

namespace gpuwhy::trace {

/// For each device event the innermost operator within which its launch began, on the launching
/// thread: an index into Timeline::host, UINT32_MAX where there is none. By time, not by the ids
/// that work and operators share: PyTorch 1.11 to 2.2 writes the correlation there.
[[nodiscard]] std::vector<std::uint32_t> LaunchingOps(const Timeline& timeline);

}  // namespace gpuwhy::trace
