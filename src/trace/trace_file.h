// A file that may hold traces: what it is, by its content, and the timelines in it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/byte_stream.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Is it a compressed file, an archive or a database, whose content these first 512 bytes or more
/// do not tell?
[[nodiscard]] bool MayHoldTrace(std::string_view first);

/// Calls take for each trace in the bytes of the file at path: one, or those inside a tar or zip
/// archive, named "path!member". SQLite exports are opened again by path, so bytes must be its
/// start. Error: nothing in it is a trace, or the only one can't be read.
[[nodiscard]] Status ImportTraceFile(const std::string& path, std::unique_ptr<ByteStream> bytes,
                                     const std::function<void(Timeline)>& take);

}  // namespace gpuwhy::trace
