// PyTorch / Kineto Chrome traces, 1.8 to 2.9: CUDA, ROCm, MTIA. docs/trace-definitions.md has the
// eras and traps.
#pragma once

#include <string>

#include "base/result.h"
#include "trace/byte_stream.h"
#include "trace/importers/json_events.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Error: nothing that looks like trace events. Damage after the first event is counted in
/// Timeline::lost.
/// chunk: bytes parsed at once.
[[nodiscard]] Result<Timeline> ImportKineto(ByteStream& stream, const std::string& file,
                                            std::size_t chunk = kJsonChunk);

}  // namespace gpuwhy::trace
