#include "collect/procfs/pacer.h"

#include <algorithm>

namespace gpuwhy {
namespace {

// A new value moves the average by a fifth: five looks later (a quarter of a second) a step is
// mostly taken in, a single slow look hardly counts.
constexpr double kNew = 0.2;
// Chores never take the looks' whole budget: their own interval grows before that.
constexpr double kLeastForLooks = 0.4;

void Move(double& average, double value) {
  average = average == 0 ? value : average + kNew * (value - average);
}

}  // namespace

void Pacer::AddLook(Nanos cpu) { Move(look_seconds_, Seconds(cpu)); }

void Pacer::AddChores(Nanos cpu, Nanos interval) {
  if (interval > Nanos{0}) Move(chore_share_, Seconds(cpu) / Seconds(interval));
}

double Pacer::LeftForLooks() const {
  return std::max(budget_ - chore_share_, budget_ * kLeastForLooks);
}

Nanos Pacer::Period() const {
  const double left = LeftForLooks();
  if (left <= 0) return std::max(aim_, kSlowest);
  const double seconds = std::min(look_seconds_ / left, Seconds(kSlowest));
  const Nanos needed = std::chrono::duration_cast<Nanos>(std::chrono::duration<double>(seconds));
  return std::max(aim_, needed);
}

Nanos Pacer::MostPerLook() const {
  return std::chrono::duration_cast<Nanos>(kSlowest * LeftForLooks());
}

}  // namespace gpuwhy
