#include "diagnose/rules/cpu_quota_throttled.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return CpuQuotaThrottled(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

TEST(CpuQuotaThrottled, NamesTheCgroupAndWhatItCosts) {
  const RuleResult result = Evaluate(ThrottledJob());
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.subject, kTestJob);
  EXPECT_EQ(finding.cost, (Cost{0.58, 0.52, 0.64, CostBasis::kLaw}));
  EXPECT_NE(finding.title.find("/pods/a"), std::string::npos);
  EXPECT_EQ(finding.verify,
            "for i in 1 2; do cat /sys/fs/cgroup/pods/a/cpu.stat 2>/dev/null; sleep 5; done");
  EXPECT_EQ(finding.confidence, Confidence::kHigh);
}

TEST(CpuQuotaThrottled, DoesNotHoldJustUnderTheThreshold) {
  TestFacts facts = ThrottledJob();
  EXPECT_EQ(Count(facts.Set(FactId::kCgroupThrottled, 0.10, std::nullopt, kTestCgroup)), 1U);
  EXPECT_EQ(Count(facts.Set(FactId::kCgroupThrottled, 0.099, std::nullopt, kTestCgroup)), 0U);
}

TEST(CpuQuotaThrottled, NeedsTheJobsOwnThreadsToBeKeptFromRunning) {
  // Four loaders: 0.05 each.
  EXPECT_EQ(Count(ThrottledJob().Set(FactId::kFillersDelay, 0.20)), 1U);
  EXPECT_EQ(Count(ThrottledJob().Set(FactId::kFillersDelay, 0.199)), 0U);
}

TEST(CpuQuotaThrottled, WithoutLoadersTheJobsOwnDelayDecides) {
  TestFacts facts = ThrottledJob();
  facts.Drop(FactId::kFillers).Drop(FactId::kFillersDelay);
  EXPECT_EQ(Count(facts.Set(FactId::kJobDelay, 0.05)), 1U);
  EXPECT_EQ(Count(facts.Set(FactId::kJobDelay, 0.049)), 0U);
  EXPECT_EQ(Evaluate(facts.Drop(FactId::kJobDelay)).unknowns.size(), 1U);
}

TEST(CpuQuotaThrottled, NoQuotaIsAnAnswerAndAnUnreadOneIsNot) {
  const RuleResult none = Evaluate(HealthyJob());
  EXPECT_TRUE(none.findings.empty());
  EXPECT_TRUE(none.unknowns.empty());
  const RuleResult unread = Evaluate(HealthyJob().Drop(FactId::kJobCoresQuota));
  EXPECT_TRUE(unread.findings.empty());
  ASSERT_EQ(unread.unknowns.size(), 1U);
  EXPECT_EQ(unread.unknowns[0].hides, std::vector<std::string>{"cpu.quota-throttled"});
}

TEST(CpuQuotaThrottled, CantTellWithoutPeriods) {
  for (TestFacts facts : {ThrottledJob().Drop(FactId::kCgroupPeriods, kTestCgroup),
                          ThrottledJob().Set(FactId::kCgroupPeriods, 0, std::nullopt, kTestCgroup),
                          ThrottledJob().Miss(FactId::kCgroupPeriods,
                                              {Why::kWentBackwards, "cpu.stat"}, kTestCgroup)}) {
    const RuleResult result = Evaluate(facts);
    EXPECT_TRUE(result.findings.empty());
    ASSERT_EQ(result.unknowns.size(), 1U);
    EXPECT_EQ(result.unknowns[0].what, Info(FactId::kCgroupPeriods).meaning);
  }
}

TEST(CpuQuotaThrottled, TheParentThatIsStoppedMostDecides) {
  const Subject parent{SubjectKind::kCgroup, "/pods"};
  TestFacts facts = ThrottledJob();
  facts.Set(FactId::kCgroupThrottled, 0.02, std::nullopt, kTestCgroup);
  facts.Set(FactId::kCgroupThrottled, 0.90, std::nullopt, parent);
  facts.Set(FactId::kCgroupPeriods, 100, std::nullopt, parent);
  const RuleResult result = Evaluate(facts);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_NE(result.findings[0].title.find("quota of /pods is"), std::string::npos);
}

TEST(CpuQuotaThrottled, HasNoCostWhereNoneCouldBeComputed) {
  const RuleResult result = Evaluate(ThrottledJob().Drop(FactId::kGainQuota));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_FALSE(result.findings[0].cost.has_value());
  EXPECT_EQ(result.findings[0].confidence, Confidence::kMedium);
}

TEST(CpuQuotaThrottled, QuotesThePathInItsCommand) {
  TestFacts facts = ThrottledJob();
  facts.SetSource(FactId::kCgroupThrottled, "/sys/fs/cgroup/a b;reboot/cpu.stat", kTestCgroup);
  EXPECT_EQ(Evaluate(facts).findings.at(0).verify,
            "for i in 1 2; do cat '/sys/fs/cgroup/a b;reboot/cpu.stat' 2>/dev/null; sleep 5; done");
}

TEST(CpuQuotaThrottled, LooksInBothHierarchiesWhereTheFullPathIsNotKnown) {
  TestFacts facts = ThrottledJob();
  facts.SetSource(FactId::kCgroupThrottled, "cpu.stat", kTestCgroup);
  EXPECT_EQ(
      Evaluate(facts).findings.at(0).verify,
      "for i in 1 2; do cat /sys/fs/cgroup/pods/a/cpu.stat /sys/fs/cgroup/cpu/pods/a/cpu.stat "
      "2>/dev/null; sleep 5; done");
}

}  // namespace
}  // namespace gpuwhy
