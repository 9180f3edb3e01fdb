#include "base/percent.h"

#include <gtest/gtest.h>

#include <limits>

namespace gpuwhy {
namespace {

TEST(PercentText, ShowsASmallShareAsSmallAndNotAsNothing) {
  EXPECT_EQ(PercentText(0), "0 %");
  EXPECT_EQ(PercentText(0.004), "0.4 %");
  EXPECT_EQ(PercentText(0.0004), "<0.1 %");
  EXPECT_EQ(PercentText(0.0096), "1 %");
  EXPECT_EQ(PercentText(0.41), "41 %");
  EXPECT_EQ(PercentText(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(PercentText, RoundsTheSameWayEverywhere) {
  // Exact in binary: a printf would make these 12 %.
  EXPECT_EQ(PercentText(0.125), "13 %");
  EXPECT_EQ(PercentText(0.125, 0.0625, 0.25), "13 % (6-25 %)");
  EXPECT_EQ(PercentText(0.5, 0.125, 0.625), "50 % (13-63 %)");
}

TEST(PercentText, LeavesOutAnIntervalWithoutWidth) {
  EXPECT_EQ(PercentText(0.41, 0.35, 0.47), "41 % (35-47 %)");
  EXPECT_EQ(PercentText(0.41, 0.41, 0.41), "41 %");
  EXPECT_EQ(PercentText(0.41, 0.411, 0.412), "41 %");
  EXPECT_EQ(PercentText(0.41, 0, std::numeric_limits<double>::infinity()), "41 %");
}

}  // namespace
}  // namespace gpuwhy
