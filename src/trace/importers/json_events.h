// Walks the events of a Chrome trace ("traceEvents" of an object, or a bare array) in bounded
// memory, whatever the layout of the file: chunks of the array are handed to simdjson's On-Demand
// parser, cut at an event's end.
//
// A cut is guessed ("}," from the back) and proven by parsing: an event that does not end inside
// the chunk is parsed again with the next one. What can't be parsed even at the start of a chunk is
// skipped and counted.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "base/result.h"
#include "trace/byte_stream.h"

namespace gpuwhy::trace {

struct JsonWalk {
  std::string metadata;  ///< a JSON object of everything beside the events; "{}" for a bare array
  std::uint64_t events = 0, bytes = 0;
  bool complete = false;  ///< the array's end was seen
  std::map<std::string, std::uint64_t>
      lost;  ///< by reason: "truncated", "malformed", "invalid-utf8", ...
  std::string
      error;  ///< translated, with byte offset: why the walk ended early; empty where it did not
};

/// False: this event can't be read (the walk counts and skips it).
using EventVisitor = std::function<bool(simdjson::ondemand::object& event)>;

inline constexpr std::size_t kJsonChunk = std::size_t{4} << 20U;

/// Error: no events array within the first 64 MiB, or nothing readable at all. chunk: bytes parsed
/// at once, at least 16; tests make it tiny.
[[nodiscard]] Result<JsonWalk> WalkJsonEvents(ByteStream& stream, const EventVisitor& visit,
                                              std::size_t chunk = kJsonChunk);

}  // namespace gpuwhy::trace
