#include "diagnose/rules/input_cpu_transform.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return InputCpuTransform(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

TEST(InputCpuTransform, CarriesABoundAndNoCost) {
  const RuleResult result = Evaluate(ComputingJob());
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.bound, 0.60);
  EXPECT_FALSE(finding.cost.has_value()) << "a limit recovers nothing";
  EXPECT_NE(finding.meaning.find("3.9 of the 8 cores"), std::string::npos) << finding.meaning;
  EXPECT_EQ(finding.verify, "top -b -d 5 -n 2 -p 101,102,103,104");
  EXPECT_EQ(finding.confidence, Confidence::kHigh);
}

TEST(InputCpuTransform, DoesNotHoldJustUnderTheThreshold) {
  EXPECT_EQ(Count(HealthyJob()), 0U);
  EXPECT_EQ(Count(ComputingJob().Set(FactId::kBoundCpu, 0.28, Interval{0.25, 0.31})), 1U);
  EXPECT_EQ(Count(ComputingJob().Set(FactId::kBoundCpu, 0.28, Interval{0.249, 0.31})), 0U);
  EXPECT_EQ(Count(ComputingJob().Set(FactId::kConsumerWait, 0.06, Interval{0.049, 0.07})), 0U);
}

TEST(InputCpuTransform, IsNotTheAnswerWhereTheQuotaIs) { EXPECT_EQ(Count(ThrottledJob()), 0U); }

TEST(InputCpuTransform, StaysTheLimitWhereTheQuotaGivesLittleBack) {
  EXPECT_EQ(Count(ThrottledJob().Set(FactId::kGainQuota, 0.25, Interval{0.20, 0.30})), 1U)
      << "0.55 - 0.30 of the time is still computing";
  EXPECT_EQ(Count(ThrottledJob().Set(FactId::kGainQuota, 0.25, Interval{0.20, 0.31})), 0U);
}

TEST(InputCpuTransform, AQuotaWithRoomIsNoObstacle) {
  TestFacts facts = ThrottledJob();
  facts.Set(FactId::kCgroupThrottled, 0.09, std::nullopt, kTestCgroup);
  EXPECT_EQ(Count(facts), 1U);
}

TEST(InputCpuTransform, CantTellWithoutTheWaitTheBoundOrTheQuotasGain) {
  for (const FactId id : {FactId::kConsumerWait, FactId::kBoundCpu}) {
    const RuleResult result = Evaluate(ComputingJob().Drop(id));
    EXPECT_TRUE(result.findings.empty()) << Id(id);
    EXPECT_EQ(result.unknowns.size(), 1U) << Id(id);
  }
  EXPECT_EQ(Evaluate(ThrottledJob().Drop(FactId::kGainQuota)).unknowns.size(), 1U);
}

TEST(InputCpuTransform, AnUnseenQuotaMattersOnlyWhereLoadersWereKeptFromRunning) {
  TestFacts facts = ComputingJob();
  facts.Drop(FactId::kJobCoresQuota);
  EXPECT_EQ(Count(facts), 1U) << "no run delay: nothing stopped them";
  const RuleResult result = Evaluate(facts.Set(FactId::kFillersDelay, 2.0));
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
  EXPECT_EQ(result.unknowns[0].what, Info(FactId::kCgroupThrottled).meaning);
}

}  // namespace
}  // namespace gpuwhy
