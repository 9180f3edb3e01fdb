// The machine's clocks.
#pragma once

#include "os/clock.h"

namespace gpuwhy {

/// Stateless: safe for concurrent use.
class RealClock final : public Clock {
 public:
  MonoTime Now() override;
  ClockSample Pair() override;
  Nanos ThreadCpu() override;
  Nanos ProcessCpu() override;
};

}  // namespace gpuwhy
