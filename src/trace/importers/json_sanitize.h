// First aid for traces whose writer did not escape what it should have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace gpuwhy::trace {

/// Replaces, in place, invalid UTF-8 by '?' and control bytes inside strings by ' '. Returns how
/// many bytes.
std::uint64_t SanitizeJson(std::span<char> text);
/// Offset (> 0) of the next '{' that seems to start an event behind a broken one: after "}" and
/// ",", whole and with a phase; 0: none in text.
[[nodiscard]] std::size_t NextEventStart(std::string_view text);
/// Bytes of the object at the start of text, by counting braces outside strings; 0: it does not end
/// in here.
[[nodiscard]] std::size_t EventLength(std::string_view text);

}  // namespace gpuwhy::trace
