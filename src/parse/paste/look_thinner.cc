#include "parse/paste/look_thinner.h"

#include <algorithm>

namespace gpuwhy {
namespace {

std::string KeyOf(const GpuLook& look) {
  return look.reader + "\n" + look.uuid + "\n" + look.bus_id + "\n" + std::to_string(look.index);
}

}  // namespace

void LookThinner::Keep(std::vector<GpuLook>& looks, std::size_t from, std::uint64_t every,
                       Counts& seen) const {
  const auto begin = looks.begin() + static_cast<std::ptrdiff_t>(first_ + from);
  looks.erase(std::remove_if(begin, looks.end(),
                             [&](const GpuLook& look) { return seen[KeyOf(look)]++ % every != 0; }),
              looks.end());
}

void LookThinner::Thin(std::vector<GpuLook>& looks) {
  // A short output is the rule: nothing of it is counted before there is a need.
  if (stride_ == 1 && looks.size() - first_ <= most_) return;
  Keep(looks, done_, stride_, seen_);
  while (looks.size() - first_ > most_) {
    const std::size_t before = looks.size();
    Counts kept;
    Keep(looks, 0, 2, kept);
    stride_ *= 2;
    // Each look is at a GPU of its own: nothing more can be left out evenly.
    if (looks.size() == before) break;
  }
  if (looks.size() - first_ > most_) looks.resize(first_ + most_);
  done_ = looks.size() - first_;
}

}  // namespace gpuwhy
