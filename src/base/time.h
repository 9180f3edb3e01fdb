// One time axis: CLOCK_MONOTONIC nanoseconds. Other clocks are mapped to it with an error bound.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/reading.h"

namespace gpuwhy {

using Nanos = std::chrono::nanoseconds;

/// A point on CLOCK_MONOTONIC.
struct MonoTime {
  Nanos ns{0};
  friend auto operator<=>(const MonoTime&, const MonoTime&) = default;
  friend Nanos operator-(MonoTime a, MonoTime b) { return a.ns - b.ns; }
  friend MonoTime operator+(MonoTime t, Nanos d) { return {t.ns + d}; }
};

/// The clocks of one instant, read between two reads of CLOCK_MONOTONIC.
struct ClockSample {
  MonoTime mono;                  ///< middle of the two reads
  Nanos half_width{0};            ///< half their distance: the error of this pairing
  Nanos boottime{0};              ///< CLOCK_BOOTTIME
  Nanos realtime{0};              ///< CLOCK_REALTIME, since the epoch
  std::int32_t utc_offset_s = 0;  ///< the host's zone at that instant, for log stamps without one

  friend bool operator==(const ClockSample&, const ClockSample&) = default;
};

/// A mapped time and how wrong it may be.
struct MappedTime {
  MonoTime mono;
  Nanos error{0};
};

/// Maps BOOTTIME and REALTIME stamps to MonoTime by the nearest two pairings. The error covers the
/// pairings' own widths, the drift seen between them and, outside their range, the drift's
/// extrapolation.
class ClockMap {
 public:
  /// samples need not be sorted; an empty vector maps nothing.
  explicit ClockMap(std::vector<ClockSample> samples);

  [[nodiscard]] Reading<MappedTime> FromRealtime(Nanos since_epoch) const;
  [[nodiscard]] Reading<MappedTime> FromBoottime(Nanos since_boot) const;

 private:
  [[nodiscard]] Reading<MappedTime> Map(Nanos stamp, Nanos ClockSample::*clock) const;
  std::vector<ClockSample> samples_;
};

/// Seconds as a double, for arithmetic on durations.
[[nodiscard]] inline double Seconds(Nanos d) { return std::chrono::duration<double>(d).count(); }

}  // namespace gpuwhy
