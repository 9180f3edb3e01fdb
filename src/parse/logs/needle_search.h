// Finds all of many words in a long text in one pass, jumping over what can't match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace gpuwhy {

/// Built once for a set of words, each at least kShortest bytes. Looks at the words, which must
/// outlive it. Letters match as they are.
class NeedleSearch {
 public:
  static constexpr std::size_t kShortest = 6;
  explicit NeedleSearch(std::vector<std::string_view> needles);

  struct Hit {
    std::size_t at = 0;      ///< of the first byte
    std::size_t needle = 0;  ///< index into the words
  };
  /// By place, words that begin at the same one in their order. Memory grows with the hits.
  [[nodiscard]] std::vector<Hit> FindAll(std::string_view text) const;

 private:
  struct Cursor;
  [[nodiscard]] static std::size_t Hash(const char* three) {
    const auto byte = [&](int i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(three[i]));
    };
    return (byte(0) * 961 + byte(1) * 31 + byte(2)) & (kSlots - 1);
  }
  void Step(std::string_view text, Cursor& cursor) const;

  static constexpr std::size_t kSlots = 1U << 15U;
  std::vector<std::string_view> needles_;
  std::size_t shortest_ = 0;
  std::vector<std::uint8_t> shift_;               ///< by the last three bytes of the window
  std::vector<std::vector<std::uint32_t>> ends_;  ///< words by hash of the end of their prefix
  std::vector<std::uint16_t> slot_;               ///< hash -> index into ends_
};

}  // namespace gpuwhy
