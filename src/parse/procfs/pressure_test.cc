#include "parse/procfs/pressure.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

constexpr const char* kPath = "/proc/pressure/io";

TEST(Pressure, ReadsBothLines) {
  const Result<Pressure> pressure = ParsePressure(
      "some avg10=1.50 avg60=0.20 avg300=0.00 total=12345\n"
      "full avg10=0.10 avg60=0.00 avg300=0.00 total=99\n",
      kPath);
  ASSERT_TRUE(pressure.ok()) << pressure.error().Text();
  EXPECT_EQ(pressure->some.total_us, 12345U);
  EXPECT_EQ(pressure->some.avg10, Reading<double>(1.5));
  ASSERT_TRUE(pressure->full.has());
  EXPECT_EQ(pressure->full->total_us, 99U);
}

TEST(Pressure, OfTheCpuOnOlderKernelsHasNoFull) {
  const Result<Pressure> pressure =
      ParsePressure("some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n", "/proc/pressure/cpu");
  ASSERT_TRUE(pressure.ok());
  EXPECT_EQ(pressure->full.missing(), (Missing{Why::kNotSupported, "/proc/pressure/cpu: full"}));
}

TEST(Pressure, PassesOverWhatItDoesNotKnow) {
  const Result<Pressure> pressure = ParsePressure("new x=1\nsome avg10=x later=1 total=7\n", kPath);
  ASSERT_TRUE(pressure.ok());
  EXPECT_EQ(pressure->some.total_us, 7U);
  EXPECT_EQ(pressure->some.avg10.missing().why, Why::kFailed);
  EXPECT_EQ(pressure->some.avg60.missing().why, Why::kNotSampled);
}

TEST(Pressure, NeedsTheTotal) {
  EXPECT_EQ(ParsePressure("some avg10=0.00\n", kPath).error().where, "/proc/pressure/io:1");
  EXPECT_EQ(ParsePressure("some total=1\nfull total=-1\n", kPath).error().where,
            "/proc/pressure/io:2");
  EXPECT_FALSE(ParsePressure("full total=1\n", kPath).ok());
  EXPECT_FALSE(ParsePressure("", kPath).ok());
}

}  // namespace
}  // namespace gpuwhy
