// Sampled shares and their uncertainty.
#pragma once

#include <algorithm>
#include <cmath>

#include "facts/fact.h"

namespace gpuwhy {

/// A share of looks: value and its 95 % interval, all in 0..1.
struct Share {
  double value = 0, low = 0, high = 0;
};

/// Wilson's score interval (1927) for `hits` of `looks`; hits may be fractional, where one look
/// counts for two things in parts. [0, 1] for no looks at all: nothing is known then.
/// Looks are taken as independent, which holds with a jittered sampler (with a fixed period the
/// error can be twice as large).
[[nodiscard]] inline Share WilsonShare(double hits, double looks) {
  if (!(looks > 0)) return {0, 0, 1};
  constexpr double kZ = 1.96;
  const double p = std::clamp(hits / looks, 0.0, 1.0);
  const double z2n = kZ * kZ / looks;
  const double middle = (p + z2n / 2) / (1 + z2n);
  const double half = kZ / (1 + z2n) * std::sqrt(p * (1 - p) / looks + z2n / (4 * looks));
  // Rounding must not push the ends past the value where p is 0 or 1.
  return {p, std::clamp(middle - half, 0.0, p), std::clamp(middle + half, p, 1.0)};
}

[[nodiscard]] inline Interval ToInterval(const Share& share) { return {share.low, share.high}; }

}  // namespace gpuwhy
