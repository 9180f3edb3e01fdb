#include "trace/shift.h"

#include <gtest/gtest.h>

namespace gpuwhy::trace {
namespace {

TEST(Shift, CannotTellFromThreeStepsEachHoweverFarApart) {
  const Shift shift = ShiftOf({100, 101, 102}, {900, 901, 902});
  EXPECT_EQ(shift.moved, Moved::kCannotTell);
  EXPECT_EQ(shift.by, 800);
}

TEST(Shift, FourStepsEachThatDoNotOverlapTell) {
  const Shift shift = ShiftOf({100, 101, 102, 103}, {50, 51, 52, 53});
  EXPECT_EQ(shift.moved, Moved::kDown);
  EXPECT_EQ(shift.by, -50);
  EXPECT_EQ(shift.low, -53);
  EXPECT_EQ(shift.high, -47);
}

TEST(Shift, OneStepThatOverlapsOfFourIsNoise) {
  EXPECT_EQ(ShiftOf({100, 101, 102, 120}, {110, 111, 112, 113}).moved, Moved::kWithinNoise);
}

TEST(Shift, AnOutlierDoesNotHideAShift) {
  const Shift shift =
      ShiftOf({100, 101, 99, 100, 102, 101, 5000}, {120, 121, 119, 120, 122, 121, 120});
  EXPECT_EQ(shift.moved, Moved::kUp);
  EXPECT_NEAR(static_cast<double>(shift.by), 20, 1);
}

TEST(Shift, EqualStepsAreWithinNoise) {
  const Shift shift = ShiftOf({7, 7, 7, 7, 7}, {7, 7, 7, 7, 7});
  EXPECT_EQ(shift.moved, Moved::kWithinNoise);
  EXPECT_EQ(shift.by, 0);
}

// Tables of the rank-sum test: 5 and 5 at 2.5 % a side allow a statistic of 2, 10 and 10 of 23.
TEST(Shift, TheIntervalHasTheLengthOfTheTables) {
  std::vector<std::int64_t> zeros(5, 0);
  const Shift five = ShiftOf(zeros, {1, 2, 3, 4, 5});
  EXPECT_EQ(five.low, 1);
  EXPECT_EQ(five.high, 5);
  std::vector<std::int64_t> ten;
  std::vector<std::int64_t> spread;
  for (std::int64_t i = 0; i < 10; ++i) {
    ten.push_back(10 * i);
    spread.push_back(i);
  }
  // All hundred differences are distinct: -90 .. 9; 23 lie below the interval.
  const Shift both = ShiftOf(ten, spread);
  EXPECT_EQ(both.low, -90 + 23);
  EXPECT_EQ(both.high, 9 - 23);
}

TEST(Shift, ManyStepsAreThinnedAndStillTell) {
  std::vector<std::int64_t> before;
  std::vector<std::int64_t> after;
  for (std::int64_t i = 0; i < 5000; ++i) {
    before.push_back(1000 + i % 100);
    after.push_back(1010 + i % 100);
  }
  const Shift shift = ShiftOf(before, after);
  EXPECT_EQ(shift.moved, Moved::kUp);
  EXPECT_NEAR(static_cast<double>(shift.by), 10, 2);
}

TEST(Shift, AnEmptySideTellsNothing) {
  EXPECT_EQ(ShiftOf({}, {1, 2, 3, 4}).moved, Moved::kCannotTell);
}

}  // namespace
}  // namespace gpuwhy::trace
