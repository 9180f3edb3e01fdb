// Bytes of unknown origin to numbers. Never reads outside its view; the first failure sticks, so a
// caller may read several values and look at ok() once.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gpuwhy {

class ByteReader {
 public:
  ByteReader() = default;
  /// bytes must outlive the reader and the texts it gives.
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] std::size_t Remaining() const { return rest_.size(); }

  /// 0 after a failure: the end was reached, or the number needs more than 64 bits.
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      const std::uint64_t bits = byte & 0x7FU;
      if (shift == 63 && bits > 1) break;
      value |= bits << shift;
      if ((byte & 0x80U) == 0) return value;
    }
    return Fail();
  }

  /// The next length bytes; empty after a failure.
  std::string_view Take(std::uint64_t length) {
    if (length > rest_.size()) {
      Fail();
      return {};
    }
    const std::string_view taken = rest_.substr(0, length);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view Text() { return Take(Varint()); }

  template <std::unsigned_integral T>
  T LittleEndian() {
    const std::string_view bytes = Take(sizeof(T));
    std::uint64_t value = 0;
    for (std::size_t i = bytes.size(); i > 0; --i) {
      value = value << 8U | static_cast<unsigned char>(bytes[i - 1]);
    }
    return static_cast<T>(value);
  }

 private:
  std::uint64_t Fail() {
    ok_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace gpuwhy
