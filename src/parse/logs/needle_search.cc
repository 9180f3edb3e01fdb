#include "parse/logs/needle_search.h"

#include <algorithm>
#include <utility>

namespace gpuwhy {

// The method of Wu and Manber with blocks of three bytes over the first shortest_ bytes of each
// word: shift_ says how far the window may go before those three bytes can end a prefix.
NeedleSearch::NeedleSearch(std::vector<std::string_view> needles)
    : needles_(std::move(needles)), slot_(kSlots, 0) {
  shortest_ = needles_.empty() ? kShortest : needles_.front().size();
  for (const std::string_view needle : needles_) shortest_ = std::min(shortest_, needle.size());
  shortest_ = std::max(shortest_, std::size_t{3});
  shift_.assign(kSlots, static_cast<std::uint8_t>(std::min<std::size_t>(shortest_ - 2, 255)));
  ends_.emplace_back();
  for (std::size_t n = 0; n < needles_.size(); ++n) {
    for (std::size_t end = 3; end <= shortest_; ++end) {
      const std::size_t hash = Hash(needles_[n].data() + end - 3);
      shift_[hash] =
          static_cast<std::uint8_t>(std::min<std::size_t>(shift_[hash], shortest_ - end));
      if (end != shortest_) continue;
      if (slot_[hash] == 0) {
        slot_[hash] = static_cast<std::uint16_t>(ends_.size());
        ends_.emplace_back();
      }
      ends_[slot_[hash]].push_back(static_cast<std::uint32_t>(n));
    }
  }
}

NeedleSearch::Hit NeedleSearch::Next(std::string_view text, std::size_t& from) const {
  std::size_t end = std::max(from, shortest_);
  while (end <= text.size()) {
    const std::size_t hash = Hash(text.data() + end - 3);
    if (shift_[hash] != 0) {
      end += shift_[hash];
      continue;
    }
    const std::size_t start = end - shortest_;
    for (const std::uint32_t n : ends_[slot_[hash]]) {
      if (text.compare(start, needles_[n].size(), needles_[n]) != 0) continue;
      from = end + 1;
      return Hit{start, n};
    }
    ++end;
  }
  from = end;
  return Hit{text.size(), needles_.size()};
}

}  // namespace gpuwhy
