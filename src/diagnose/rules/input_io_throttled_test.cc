#include "diagnose/rules/input_io_throttled.h"

#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return InputIoThrottled(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

TEST(InputIoThrottled, NamesTheLimitAndExplainsTheStorageWait) {
  const Diagnosis diagnosis = Diagnose(IoLimitedJob().Build(), Policy{});
  ASSERT_TRUE(diagnosis.verdict.has_value());
  const Finding& verdict = diagnosis.findings[*diagnosis.verdict];
  EXPECT_EQ(verdict.id, "input.io-throttled");
  EXPECT_NE(verdict.title.find("/pods/a"), std::string::npos);
  for (const Finding& finding : diagnosis.findings) {
    if (finding.id != "input.storage-latency") continue;
    EXPECT_EQ(finding.explained_by, std::vector<std::string>{"input.io-throttled"});
  }
}

TEST(InputIoThrottled, DoesNotHoldJustUnderTheThreshold) {
  EXPECT_EQ(Count(IoLimitedJob().Set(FactId::kCgroupReadUsed, 0.90, std::nullopt, kTestCgroup)),
            1U);
  EXPECT_EQ(Count(IoLimitedJob().Set(FactId::kCgroupReadUsed, 0.899, std::nullopt, kTestCgroup)),
            0U);
}

TEST(InputIoThrottled, AFullLimitIsNoCauseWhereTheLoadersDoNotRead) {
  EXPECT_EQ(Count(ComputingJob().Set(FactId::kCgroupReadUsed, 1.0, std::nullopt, kTestCgroup)), 0U);
  EXPECT_EQ(Count(HealthyJob().Set(FactId::kCgroupReadUsed, 1.0, std::nullopt, kTestCgroup)), 0U);
}

TEST(InputIoThrottled, NoLimitIsNoUnknown) {
  const RuleResult none = Evaluate(StorageStarvedJob());
  EXPECT_TRUE(none.findings.empty());
  EXPECT_TRUE(none.unknowns.empty());
}

TEST(InputIoThrottled, CantTellWithoutTheLoadersWaits) {
  const RuleResult result =
      Evaluate(IoLimitedJob().Miss(FactId::kFillersReadWait, {Why::kNoPermission, "syscall"}));
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
  EXPECT_EQ(result.unknowns[0].hides, std::vector<std::string>{"input.io-throttled"});
}

}  // namespace
}  // namespace gpuwhy
