#include "os/real_clock.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(RealClock, PairsLieBetweenTheReadsAroundThem) {
  RealClock clock;
  const MonoTime before = clock.Now();
  const ClockSample pair = clock.Pair();
  const MonoTime after = clock.Now();
  EXPECT_LE(before, pair.mono);
  EXPECT_LE(pair.mono, after);
  EXPECT_LE(pair.half_width, after - before);
  EXPECT_GE(pair.half_width, Nanos{0});
  EXPECT_GE(pair.boottime, pair.mono.ns - pair.half_width - Nanos{1})
      << "time since boot counts suspend too";
  EXPECT_GT(pair.realtime, std::chrono::hours(24 * 365 * 50));
}

TEST(RealClock, CpuTimeGrowsWithWork) {
  RealClock clock;
  const Nanos process = clock.ProcessCpu();
  const Nanos thread = clock.ThreadCpu();
  while (clock.ThreadCpu() - thread < std::chrono::microseconds(100)) {
  }
  EXPECT_GT(clock.ProcessCpu(), process);
}

}  // namespace
}  // namespace gpuwhy
