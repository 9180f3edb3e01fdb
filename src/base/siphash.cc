#include "base/siphash.h"

#include <bit>

namespace gpuwhy {
namespace {

struct SipState {
  std::uint64_t v0, v1, v2, v3;

  void Round() {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }
  void Absorb(std::uint64_t word) {
    v3 ^= word;
    Round();
    Round();
    v0 ^= word;
  }
};

/// Up to 8 bytes as a little-endian number.
std::uint64_t Word(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return word;
}

}  // namespace

std::uint64_t SipHash24(const SipHashKey& key, std::string_view message) {
  // The algorithm's constants: "somepseudorandomlygeneratedbytes".
  SipState state{key.k0 ^ 0x736f6d6570736575U, key.k1 ^ 0x646f72616e646f6dU,
                 key.k0 ^ 0x6c7967656e657261U, key.k1 ^ 0x7465646279746573U};
  const std::uint64_t length = message.size();
  for (; message.size() >= 8; message.remove_prefix(8)) state.Absorb(Word(message.substr(0, 8)));
  state.Absorb((length & 0xFFU) << 56U | Word(message));
  state.v2 ^= 0xFFU;
  for (int i = 0; i < 4; ++i) state.Round();
  return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace gpuwhy
