#include "trace/timeline.h"

#include <array>

namespace gpuwhy::trace {

Names::Names() : texts_{""} { index_.emplace("", 0); }

NameIndex Names::Intern(std::string_view text) {
  if (const auto it = index_.find(text); it != index_.end()) return it->second;
  const auto index = static_cast<NameIndex>(texts_.size());
  texts_.emplace_back(text);
  index_.emplace(texts_.back(), index);
  return index;
}

std::string_view WorkName(Work work) {
  constexpr std::array<std::string_view, kWorkKinds> kNames = {
      "compute", "comm", "h2d", "d2h", "d2d", "p2p", "memset", "memcpy_other"};
  return kNames.at(static_cast<std::size_t>(work));
}

}  // namespace gpuwhy::trace
