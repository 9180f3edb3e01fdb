// Protocol Buffers as they stand in a file, field by field, without a schema: what is asked of a
// message is a handful of its fields, and the message may be as large as the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace gpuwhy::trace {

struct WireField {
  int number = 0;
  std::uint64_t value = 0;  ///< of a number, its bits
  std::string_view bytes;   ///< of a text, a message or packed numbers; points into the message
};

/// Calls visit for each field in order. Returns how many bytes are whole fields: less than the
/// message has where it is cut or damaged there, or visit said false, which ends the walk before
/// that field. At most 2 GiB, of a longer message nothing.
std::size_t WalkFields(std::string_view message,
                       const std::function<bool(const WireField&)>& visit);

/// The same; false: not all of the message.
bool ForEachField(std::string_view message, const std::function<bool(const WireField&)>& visit);

}  // namespace gpuwhy::trace
