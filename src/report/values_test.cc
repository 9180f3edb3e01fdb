#include "report/values.h"

#include <gtest/gtest.h>

#include <limits>

namespace gpuwhy {
namespace {

TEST(QuantityText, ScalesWithTheUnit) {
  EXPECT_EQ(QuantityText(1234567890, Unit::kBytesPerSecond), "1.23 GB/s");
  EXPECT_EQ(QuantityText(0.0123, Unit::kSeconds), "12.3 ms");
  EXPECT_EQ(QuantityText(0.0000005, Unit::kSeconds), "500 ns");
  EXPECT_EQ(QuantityText(10, Unit::kSeconds), "10 s");
  EXPECT_EQ(QuantityText(3.5, Unit::kCores), "3.5 cores");
  EXPECT_EQ(QuantityText(0, Unit::kBytes), "0 B");
  EXPECT_EQ(QuantityText(99999, Unit::kCount), "99999");
  EXPECT_EQ(QuantityText(-0.002, Unit::kSeconds), "-2 ms");
}

TEST(ValueText, SaysWhyAValueIsMissing) {
  Fact fact;
  fact.id = FactId::kConsumerWait;
  fact.value = Missing{Why::kNoPermission, "/proc/1/io"};
  EXPECT_EQ(ValueText(fact), "not seen (" + WhyText(Why::kNoPermission) + ")");
}

TEST(ValueText, ShowsTheIntervalOfASampledValue) {
  Fact fact;
  fact.id = FactId::kConsumerWait;
  fact.value = FactValue{0.5};
  EXPECT_EQ(ValueText(fact), "50 %") << "no interval was given";
  fact.interval = {0.4, 0.6};
  EXPECT_EQ(ValueText(fact), "50 % (40-60 %)");
}

TEST(ValueText, MakesTextsPrintable) {
  Fact fact;
  fact.id = FactId::kMountExample;
  fact.value = FactValue{std::string("/a\x1b[2J")};
  EXPECT_EQ(ValueText(fact), "/a\\x1b[2J");
}

TEST(GainText, SpeaksOfTheStepOnlyWhereStepsWereSeen) {
  Finding finding;
  finding.id = "input.metadata-storm";
  EXPECT_EQ(GainText(finding, true), "");
  finding.cost = Cost{0.41, 0.35, 0.47, CostBasis::kLaw};
  EXPECT_EQ(GainText(finding, true), "mending it would shorten the step by 41 % (35-47 %)");
  EXPECT_EQ(GainText(finding, false), "mending it would shorten the wall time by 41 % (35-47 %)");
}

TEST(GainText, ALimitBoundsAndRecoversNothing) {
  Finding finding;
  finding.bound = 0.85;
  EXPECT_EQ(GainText(finding, true), "it limits the job for 85 % of the step");
}

}  // namespace
}  // namespace gpuwhy
