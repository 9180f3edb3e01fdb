// The words that the readers of a text look for, found in one pass: most texts hold few of them,
// and a reader whose words are not there has nothing to do.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parse/logs/needle_search.h"

namespace gpuwhy {

/// Words of the readers in this folder. The lower bits are free for other readers.
enum LogMark : std::uint32_t {
  kMarkRefused = 1U << 16U,
  kMarkProfile = 1U << 17U,
  kMarkBandwidth = 1U << 18U,
  kMarkPorts = 1U << 19U,
  kMarkPressure = 1U << 20U,
  kMarkFree = 1U << 21U,
  kMarkEnvironment = 1U << 22U,
  kMarkTraining = 1U << 23U,  ///< words that few training logs hold
};

struct MarkedWord {
  std::string_view word;  ///< at least NeedleSearch::kShortest bytes
  std::uint32_t marks;
};

struct WordsSeen {
  std::uint32_t marks = 0;
  /// By place, one at each; needle is an index into StatementPatterns(): the first with this word.
  std::vector<NeedleSearch::Hit> statements;
};

class WordSearch {
 public:
  explicit WordSearch(std::span<const MarkedWord> more = {});
  [[nodiscard]] WordsSeen Search(std::string_view text) const;

 private:
  std::vector<std::uint32_t> marks_;  ///< of the words after those of statements
  NeedleSearch search_;
};

}  // namespace gpuwhy
