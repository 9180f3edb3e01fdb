#include "trace/importers/kineto_event.h"

#include <gtest/gtest.h>

namespace gpuwhy::trace {
namespace {

TEST(MicrosToNanos, KeepsEveryDecimalOfAnEpochStamp) {
  // A double of this size has steps of a quarter microsecond.
  EXPECT_EQ(MicrosToNanos("1714123456789012.345"), 1714123456789012345);
  EXPECT_EQ(MicrosToNanos("1419116104994.671"), 1419116104994671);
}

TEST(MicrosToNanos, TakesWholeAndShortDecimals) {
  EXPECT_EQ(MicrosToNanos("0"), 0);
  EXPECT_EQ(MicrosToNanos("12"), 12000);
  EXPECT_EQ(MicrosToNanos("12."), 12000);
  EXPECT_EQ(MicrosToNanos("12.5"), 12500);
  EXPECT_EQ(MicrosToNanos("-12.5"), -12500);
  EXPECT_EQ(MicrosToNanos("-0.001"), -1);
}

TEST(MicrosToNanos, RoundsTheFourthDecimal) {
  EXPECT_EQ(MicrosToNanos("1.23449"), 1234);
  EXPECT_EQ(MicrosToNanos("1.2345"), 1235);
  EXPECT_EQ(MicrosToNanos("1.9999"), 2000);
  EXPECT_EQ(MicrosToNanos("1.99949999999999"), 1999);
}

TEST(MicrosToNanos, TakesExponents) {
  EXPECT_EQ(MicrosToNanos("1.5e3"), 1500000);
  EXPECT_EQ(MicrosToNanos("2E-3"), 2);
}

TEST(MicrosToNanos, RefusesWhatIsNoTime) {
  for (const char* text : {"", "-", "NaN", "nan", "Infinity", "-inf", "12x", "--3", "1e30", "null",
                           "9223372036854775807", "99999999999999999999"}) {
    EXPECT_EQ(MicrosToNanos(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace gpuwhy::trace
