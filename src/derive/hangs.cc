#include "derive/hangs.h"

namespace gpuwhy {

bool HangsInStorage(const ProcessSums& sums, std::uint64_t least) {
  if (sums.looks < least) return false;
  const auto looks = static_cast<double>(sums.looks);
  const double storage = sums.Sum(Work::kRead) + sums.Sum(Work::kOpen) + sums.Sum(Work::kWrite) +
                         sums.Sum(Work::kFault);
  return storage >= 0.95 * looks && sums.Sum(Work::kRun) <= 0.02 * looks;
}

bool WakeAbove(const ProcessTable& processes, const std::vector<bool>& hangs,
               const std::vector<bool>& members, std::vector<bool>& wakes) {
  bool changed = false;
  for (std::size_t i = 0; i < hangs.size(); ++i) {
    if (!hangs[i]) continue;
    std::size_t above = processes.Parent(i);
    for (int g = 0; g < kMaxGenerations && above != kNoProcess && members[above]; ++g) {
      changed |= !wakes[above];
      wakes[above] = true;
      above = processes.Parent(above);
    }
  }
  return changed;
}

}  // namespace gpuwhy
