#include "diagnose/rules/cpu_contended.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return CpuContended(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

TEST(CpuContended, SaysHowLongAndWhoElseRuns) {
  const RuleResult result = Evaluate(ContendedJob());
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.subject, kTestJob);
  EXPECT_EQ(finding.cost, (Cost{0.40, 0.35, 0.45, CostBasis::kLaw}));
  EXPECT_NE(finding.meaning.find("5.8 cores"), std::string::npos) << finding.meaning;
}

TEST(CpuContended, DoesNotHoldJustUnderEachThreshold) {
  EXPECT_EQ(Count(ContendedJob().Set(FactId::kOthersRun, 0.25)), 1U);
  EXPECT_EQ(Count(ContendedJob().Set(FactId::kOthersRun, 0.249)), 0U);
  EXPECT_EQ(Count(ContendedJob().Set(FactId::kGainContention, 0.1, Interval{0.05, 0.2})), 1U);
  EXPECT_EQ(Count(ContendedJob().Set(FactId::kGainContention, 0.1, Interval{0.049, 0.2})), 0U);
  EXPECT_EQ(Count(ContendedJob().Set(FactId::kConsumerWait, 0.06, Interval{0.049, 0.07})), 0U);
}

TEST(CpuContended, ABusyHostIsNoCauseWhereTheLoadersDoNotWaitForIt) {
  EXPECT_EQ(Count(ContendedJob().Set(FactId::kFillersDelay, 0.1)), 0U);
  EXPECT_EQ(Count(HealthyJob().Set(FactId::kOthersRun, 7.5)), 0U);
}

TEST(CpuContended, CantTellWithoutTheHostsOwnFigures) {
  const RuleResult result =
      Evaluate(ContendedJob().Miss(FactId::kOthersRun, {Why::kFailed, "/proc/stat"}));
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
  EXPECT_EQ(result.unknowns[0].hides, std::vector<std::string>{"cpu.contended"});
}

}  // namespace
}  // namespace gpuwhy
