#include "diagnose/rules/cpu_affinity_narrow.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

std::size_t Claims(const TestFacts& facts) {
  return CpuAffinityNarrow(facts.Build(), Policy{}).findings.size();
}

TEST(CpuAffinityNarrow, SaysHowManyOfHowManyCpus) {
  const RuleResult result = CpuAffinityNarrow(PinnedJob().Build(), Policy{});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].cost, (Cost{0.60, 0.50, 0.65, CostBasis::kLaw}));
  EXPECT_NE(result.findings[0].meaning.find("1 of 8 CPUs"), std::string::npos);
}

TEST(CpuAffinityNarrow, DoesNotHoldJustUnderEachThreshold) {
  EXPECT_EQ(Claims(PinnedJob().Set(FactId::kGainAffinity, 0.1, Interval{0.05, 0.2})), 1U);
  EXPECT_EQ(Claims(PinnedJob().Set(FactId::kGainAffinity, 0.1, Interval{0.049, 0.2})), 0U);
  EXPECT_EQ(Claims(PinnedJob().Set(FactId::kConsumerWait, 0.06, Interval{0.049, 0.07})), 0U);
  EXPECT_EQ(Claims(PinnedJob().Set(FactId::kJobCoresAllowed, 8)), 0U) << "no mask at all";
}

TEST(CpuAffinityNarrow, AMaskIsNoCauseWhereNobodyWaitsForACore) {
  EXPECT_EQ(Claims(PinnedJob().Set(FactId::kFillersDelay, 0.05)), 0U);
}

TEST(CpuAffinityNarrow, CantTellWithoutTheHostsOwnFigures) {
  const RuleResult result = CpuAffinityNarrow(
      PinnedJob().Miss(FactId::kGainAffinity, {Why::kFailed, "/proc/stat"}).Build(), Policy{});
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.unknowns.size(), 1U);
}

}  // namespace
}  // namespace gpuwhy
