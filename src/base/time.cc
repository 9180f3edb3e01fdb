#include "base/time.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gpuwhy {
namespace {
// Beyond this distance from the nearest pairing a stamp belongs to another boot or a stepped clock.
constexpr Nanos kMaxExtrapolation = std::chrono::hours(24);
// Crystal drift against a disciplined clock, worst case of commodity boards: 100 ppm.
constexpr double kDriftBound = 100e-6;

Nanos Scale(Nanos d, double factor) {
  return Nanos(std::llround(static_cast<double>(d.count()) * factor));
}
}  // namespace

ClockMap::ClockMap(std::vector<ClockSample> samples) : samples_(std::move(samples)) {
  std::sort(samples_.begin(), samples_.end(),
            [](const ClockSample& a, const ClockSample& b) { return a.mono < b.mono; });
}

Reading<MappedTime> ClockMap::FromRealtime(Nanos since_epoch) const {
  return Map(since_epoch, &ClockSample::realtime);
}

Reading<MappedTime> ClockMap::FromBoottime(Nanos since_boot) const {
  return Map(since_boot, &ClockSample::boottime);
}

Reading<MappedTime> ClockMap::Map(Nanos stamp, Nanos ClockSample::*clock) const {
  if (samples_.empty()) return Missing{Why::kNotSampled, "no clock pairing"};
  const auto distance = [&](const ClockSample& s) {
    return stamp > s.*clock ? stamp - s.*clock : s.*clock - stamp;
  };
  const auto nearest = std::min_element(
      samples_.begin(), samples_.end(),
      [&](const ClockSample& a, const ClockSample& b) { return distance(a) < distance(b); });
  const Nanos away = distance(*nearest);
  if (away > kMaxExtrapolation)
    return Missing{Why::kFailed, "more than a day from any clock pairing"};
  // The offset between the clocks may step (NTP, suspend): take the spread over all pairings of
  // this capture into the error, so that a stamp near a step says how uncertain it is.
  const auto offset = [&](const ClockSample& s) { return s.mono.ns - s.*clock; };
  Nanos low = offset(*nearest);
  Nanos high = low;
  for (const auto next : {nearest == samples_.begin() ? nearest : nearest - 1,
                          nearest + 1 == samples_.end() ? nearest : nearest + 1}) {
    low = std::min(low, offset(*next));
    high = std::max(high, offset(*next));
  }
  return MappedTime{{stamp + offset(*nearest)},
                    nearest->half_width + (high - low) + Scale(away, kDriftBound)};
}

}  // namespace gpuwhy
