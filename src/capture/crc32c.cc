#include "capture/crc32c.h"

#include <array>
#include <cstddef>

namespace gpuwhy {
namespace {

using Table = std::array<std::uint32_t, 256>;

// tables[k][b]: what byte b adds to the remainder when k more bytes follow it in the same group of
// four. Four lookups a word instead of four dependent ones: about three times the speed.
constexpr std::array<Table, 4> MakeTables() {
  constexpr std::uint32_t kPolynomial = 0x82F63B78U;  // 0x1EDC6F41 with its bits reversed
  std::array<Table, 4> tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? kPolynomial : 0U);
    tables[0][byte] = rest;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr std::array<Table, 4> kTables = MakeTables();

}  // namespace

std::uint32_t Crc32c(std::string_view bytes) {
  std::uint32_t rest = ~std::uint32_t{0};
  std::size_t i = 0;
  const auto byte_at = [&bytes](std::size_t at) -> std::uint32_t {
    return static_cast<unsigned char>(bytes[at]);
  };
  for (; i + 4 <= bytes.size(); i += 4) {
    rest ^= byte_at(i) | byte_at(i + 1) << 8U | byte_at(i + 2) << 16U | byte_at(i + 3) << 24U;
    rest = kTables[3][rest & 0xFFU] ^ kTables[2][(rest >> 8U) & 0xFFU] ^
           kTables[1][(rest >> 16U) & 0xFFU] ^ kTables[0][rest >> 24U];
  }
  for (; i < bytes.size(); ++i) rest = (rest >> 8U) ^ kTables[0][(rest ^ byte_at(i)) & 0xFFU];
  return ~rest;
}

}  // namespace gpuwhy
