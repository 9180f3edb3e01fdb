// A file that may hold traces: what it is, by its content, and the timelines in it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "trace/byte_stream.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

/// Is it a compressed file, an archive or a database, whose content these first 512 bytes or more
/// do not tell?
[[nodiscard]] bool MayHoldTrace(std::string_view first);

struct TraceSource {
  std::string name;  ///< as it is told to people
  std::string path;  ///< where it can be opened again; empty: a pipe, or memory
};

/// Calls take for each trace in the bytes of the file: one, or those inside a tar or zip archive,
/// named "name!member". SQLite exports are opened again by their path. Returns what was left out of
/// an archive: members that are no traces or can't be read, and damage. Error: nothing in it is a
/// trace, or the only one can't be read.
[[nodiscard]] Result<std::vector<Error>> ImportTraceFile(const TraceSource& source,
                                                         std::unique_ptr<ByteStream> bytes,
                                                         const std::function<void(Timeline)>& take);

}  // namespace gpuwhy::trace
