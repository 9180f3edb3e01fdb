#include "base/time.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {
using std::chrono::seconds;

ClockSample Pair(seconds mono, seconds real, Nanos width = Nanos(50)) {
  return {.mono = {mono}, .half_width = width, .boottime = mono + seconds(5), .realtime = real};
}

TEST(ClockMap, MapsBetweenAndBesidePairings) {
  const ClockMap map({Pair(seconds(100), seconds(1000)), Pair(seconds(160), seconds(1060))});
  const auto inside = map.FromRealtime(seconds(1030));
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->mono.ns, seconds(130));
  EXPECT_LT(inside->error, std::chrono::milliseconds(10));
  const auto boot = map.FromBoottime(seconds(105));
  ASSERT_TRUE(boot);
  EXPECT_EQ(boot->mono.ns, seconds(100));
  EXPECT_EQ(boot->error, Nanos(50));
}

TEST(ClockMap, AStepBetweenPairingsWidensTheError) {
  const ClockMap map({Pair(seconds(100), seconds(1000)), Pair(seconds(160), seconds(1070))});
  const auto mapped = map.FromRealtime(seconds(1000));
  ASSERT_TRUE(mapped);
  EXPECT_GE(mapped->error, seconds(10));
}

TEST(ClockMap, WhatCannotBeMappedIsMissing) {
  EXPECT_FALSE(ClockMap({}).FromRealtime(seconds(1)));
  const ClockMap map({Pair(seconds(100), seconds(1000000))});
  EXPECT_FALSE(map.FromRealtime(seconds(1000000) - std::chrono::hours(25)));
}

}  // namespace
}  // namespace gpuwhy
