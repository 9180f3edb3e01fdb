// What stands before the first frame of a recording (format.md).
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuwhy {

// The newline and the end-of-text byte are there so that a transfer that "mends" line ends, and a
// terminal, give themselves away.
inline constexpr std::string_view kRecordingMagic = "GPUWHY\n\x1a";
/// Raised only when a reader of the version before could not even walk the frames.
inline constexpr std::uint32_t kRecordingVersion = 1;

}  // namespace gpuwhy
