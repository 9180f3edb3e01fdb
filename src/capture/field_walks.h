// Two looks at a whole capture that follow from its fields alone.
#pragma once

#include <cstdint>

#include "capture/capture.h"

namespace gpuwhy {

/// Sets every NameId and detail index that capture's tables do not hold to 0. Returns how many.
[[nodiscard]] std::uint64_t ClearDanglingIds(Capture& capture);

/// The latest instant at which anything in capture was read; zero where nothing was.
[[nodiscard]] MonoTime LatestSample(const Capture& capture);

}  // namespace gpuwhy
