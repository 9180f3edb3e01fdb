// The edge to time.
#pragma once

#include "base/time.h"

namespace gpuwhy {

class Clock {
 public:
  Clock() = default;
  Clock(const Clock&) = delete;
  Clock& operator=(const Clock&) = delete;
  virtual ~Clock() = default;

  virtual MonoTime Now() = 0;
  /// A pairing of all clocks; the best of a few tries.
  virtual ClockSample Pair() = 0;
  /// CPU time used by the calling thread / by the whole process.
  virtual Nanos ThreadCpu() = 0;
  virtual Nanos ProcessCpu() = 0;
};

}  // namespace gpuwhy
