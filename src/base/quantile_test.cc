#include "base/quantile.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(Quantile, OfAnOddCountTheMedianIsTheMiddle) { EXPECT_DOUBLE_EQ(Quantile({7, 3, 5}, 0.5), 5); }

TEST(Quantile, OfAnEvenCountTheMedianLiesBetweenTheTwoInTheMiddle) {
  EXPECT_DOUBLE_EQ(Quantile({8, 2, 6, 4}, 0.5), 5);
}

TEST(Quantile, AHighQuantileIsNeverBelowTheMedian) {
  EXPECT_DOUBLE_EQ(Quantile({10, 20, 30}, 0.95), 29);
  EXPECT_DOUBLE_EQ(Quantile({10, 30}, 0.95), 29);
}

TEST(Quantile, TheEndsAreTheSmallestAndTheLargest) {
  EXPECT_DOUBLE_EQ(Quantile({4, 9, 1}, 0), 1);
  EXPECT_DOUBLE_EQ(Quantile({4, 9, 1}, 1), 9);
}

TEST(Quantile, OfOneValueEveryQuantileIsThatValue) { EXPECT_DOUBLE_EQ(Quantile({42}, 0.95), 42); }

}  // namespace
}  // namespace gpuwhy
