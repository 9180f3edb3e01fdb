#include "parse/logs/needle_search.h"

#include <algorithm>
#include <array>
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

/// A window that goes through a part of the text. Words may end behind the part.
struct NeedleSearch::Cursor {
  std::size_t end = 0;   ///< of the window
  std::size_t stop = 0;  ///< last place where a window may end, plus one
  std::vector<Hit> hits;
};

void NeedleSearch::Step(std::string_view text, Cursor& cursor) const {
  const std::size_t hash = Hash(text.data() + cursor.end - 3);
  if (shift_[hash] != 0) {
    cursor.end += shift_[hash];
    return;
  }
  const std::size_t start = cursor.end - shortest_;
  for (const std::uint32_t n : ends_[slot_[hash]]) {
    if (text.compare(start, needles_[n].size(), needles_[n]) == 0)
      cursor.hits.push_back({start, n});
  }
  ++cursor.end;
}

// Each step waits for the one before: windows in four parts of the text wait at the same time.
std::vector<NeedleSearch::Hit> NeedleSearch::FindAll(std::string_view text) const {
  if (text.size() < shortest_ || needles_.empty()) return {};
  constexpr std::size_t kParts = 4;
  const std::size_t part = (text.size() - shortest_ + 1) / kParts;
  std::array<Cursor, kParts> cursors;
  for (std::size_t i = 0; i < kParts; ++i) {
    cursors[i].end = shortest_ + i * part;
    cursors[i].stop = i + 1 == kParts ? text.size() + 1 : shortest_ + (i + 1) * part;
  }
  const auto all_go = [&] {
    return cursors[0].end < cursors[0].stop && cursors[1].end < cursors[1].stop &&
           cursors[2].end < cursors[2].stop && cursors[3].end < cursors[3].stop;
  };
  while (all_go()) {
    for (Cursor& cursor : cursors) Step(text, cursor);
  }
  std::vector<Hit> hits;
  for (Cursor& cursor : cursors) {
    while (cursor.end < cursor.stop) Step(text, cursor);
    hits.insert(hits.end(), cursor.hits.begin(), cursor.hits.end());
  }
  return hits;
}

}  // namespace gpuwhy
