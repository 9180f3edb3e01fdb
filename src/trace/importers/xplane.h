// XProf's planes (*.xplane.pb): what JAX and TensorFlow write.
//
// Device work stands in lines "Stream #N(...)" of planes "/device:GPU:N"; the other lines of such a
// plane (Steps, XLA Ops, TensorFlow Ops) tell the same time once more.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/byte_stream.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// By its first 64 bytes or more: a message whose first field is a plane with a name.
[[nodiscard]] bool IsXplane(std::string_view head);

/// Error: larger than 2 GiB (which its format can't be either), or no plane in it can be read.
/// Damage behind the first plane is counted in Timeline::lost, and problems say at which byte.
[[nodiscard]] Result<Timeline> ImportXplane(ByteStream& stream, const std::string& file);

}  // namespace gpuwhy::trace
