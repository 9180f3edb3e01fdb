// Numbers to bytes, appended to a string: little-endian, and varints of 7 bits a byte.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace gpuwhy {

inline void PutVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80U) {
    out.push_back(static_cast<char>(0x80U | (value & 0x7FU)));
    value >>= 7U;
  }
  out.push_back(static_cast<char>(value));
}

/// Small numbers of either sign in few bytes: 0, -1, 1, -2 become 0, 1, 2, 3.
[[nodiscard]] inline std::uint64_t Zigzag(std::int64_t value) {
  const std::uint64_t bits = static_cast<std::uint64_t>(value) << 1U;
  return value < 0 ? ~bits : bits;
}
[[nodiscard]] inline std::int64_t Unzigzag(std::uint64_t value) {
  const std::uint64_t half = value >> 1U;
  return static_cast<std::int64_t>((value & 1U) != 0 ? ~half : half);
}

inline void PutText(std::string& out, std::string_view text) {
  PutVarint(out, text.size());
  out.append(text);
}

template <std::unsigned_integral T>
void PutLittleEndian(std::string& out, T value) {
  for (unsigned byte = 0; byte < sizeof(T); ++byte) {
    out.push_back(static_cast<char>((static_cast<std::uint64_t>(value) >> (8U * byte)) & 0xFFU));
  }
}

}  // namespace gpuwhy
