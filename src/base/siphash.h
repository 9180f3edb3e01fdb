// SipHash-2-4 (Aumasson and Bernstein, 2012): a short keyed hash. Whoever does not know the key can
// neither invert it nor test guesses.
#pragma once

#include <cstdint>
#include <string_view>

namespace gpuwhy {

/// The key's bytes 0 to 7 and 8 to 15, each as a little-endian number.
struct SipHashKey {
  std::uint64_t k0 = 0, k1 = 0;
};

[[nodiscard]] std::uint64_t SipHash24(const SipHashKey& key, std::string_view message);

}  // namespace gpuwhy
