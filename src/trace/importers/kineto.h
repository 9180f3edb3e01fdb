// PyTorch / Kineto Chrome traces, 1.8 to 2.9: CUDA, ROCm, MTIA. docs/trace-definitions.md has the
// eras and traps.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "trace/byte_stream.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Error: nothing that looks like trace events. Damage after the first event is counted in
/// Timeline::lost.
[[nodiscard]] Result<Timeline> ImportKineto(ByteStream& stream, const std::string& file);

}  // namespace gpuwhy::trace
