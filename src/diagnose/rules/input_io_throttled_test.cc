#include "diagnose/rules/input_io_throttled.h"

#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

const Subject kOtherMount{SubjectKind::kMount, "/scratch"};

RuleResult Evaluate(const TestFacts& facts) { return InputIoThrottled(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

const Finding* FindIn(const Diagnosis& diagnosis, const std::string& id) {
  for (const Finding& finding : diagnosis.findings) {
    if (finding.id == id) return &finding;
  }
  return nullptr;
}

TEST(InputIoThrottled, NamesTheLimitAndExplainsTheStorageWait) {
  const Diagnosis diagnosis = Diagnose(IoLimitedJob().Build(), Policy{});
  ASSERT_TRUE(diagnosis.verdict.has_value());
  const Finding& verdict = diagnosis.findings[*diagnosis.verdict];
  EXPECT_EQ(verdict.id, "input.io-throttled");
  EXPECT_NE(verdict.title.find("/pods/a on sda"), std::string::npos) << verdict.title;
  const Finding* latency = FindIn(diagnosis, "input.storage-latency");
  ASSERT_NE(latency, nullptr);
  EXPECT_EQ(latency->explained_by, std::vector<std::string>{"input.io-throttled"});
}

TEST(InputIoThrottled, DoesNotHoldJustUnderTheThreshold) {
  const auto used = [](double share) {
    return IoLimitedJob()
        .Set(FactId::kCgroupReadUsed, share, std::nullopt, kTestLimit)
        .Set(FactId::kMountLimitUsed, share, std::nullopt, kTestMount);
  };
  EXPECT_EQ(Count(used(0.90)), 1U);
  EXPECT_EQ(Count(used(0.899)), 0U);
}

TEST(InputIoThrottled, ALimitThatIsNearlyFullIsTheCauseWhereTheDeviceExplainsNothing) {
  const auto job = [](double used, double low) {
    return IoLimitedJob()
        .Set(FactId::kCgroupReadUsed, used, std::nullopt, kTestLimit)
        .Set(FactId::kMountLimitUsed, used, std::nullopt, kTestMount)
        .Set(FactId::kGainStorage, 0.50, Interval{0.44, 0.56})
        .Set(FactId::kGainReadLimit, 0.49, Interval{low, 0.56}, kTestLimit);
  };
  EXPECT_EQ(Count(job(0.89, 0.46)), 1U);
  EXPECT_EQ(Count(job(0.75, 0.46)), 1U);
  EXPECT_EQ(Count(job(0.749, 0.46)), 0U);
  EXPECT_EQ(Count(job(0.89, 0.44)), 0U) << "a tenth of the wait and more is the device's own";
  EXPECT_EQ(Count(job(0.89, 0.46).Drop(FactId::kGainReadLimit, kTestLimit)), 0U);
}

TEST(InputIoThrottled, AFullLimitOnAnotherDiskIsNotWhatTheLoadersWaitFor) {
  TestFacts facts = IoLimitedJob();
  facts.Miss(FactId::kMountLimitUsed, {Why::kNotPresent, "io.max"}, kTestMount);
  const RuleResult result = Evaluate(facts);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.unknowns.empty());
  const Diagnosis diagnosis = Diagnose(facts.Build(), Policy{});
  ASSERT_TRUE(diagnosis.verdict.has_value());
  EXPECT_EQ(diagnosis.findings[*diagnosis.verdict].id, "input.storage-latency");
}

TEST(InputIoThrottled, ALimitThatFewOfTheWaitsAreUnderIsNotTheCause) {
  TestFacts facts = IoLimitedJob();
  facts.Miss(FactId::kMountLimitUsed, {Why::kNotPresent, "io.max"}, kTestMount)
      .Set(FactId::kMountReadWait, 0.03, Interval{0.02, 0.05}, kOtherMount)
      .Set(FactId::kMountLimitUsed, 1.0, std::nullopt, kOtherMount);
  EXPECT_EQ(Count(facts), 0U);
}

TEST(InputIoThrottled, CantTellWhereTheDeviceUnderTheMountIsNotKnown) {
  TestFacts facts = IoLimitedJob();
  facts.Miss(FactId::kMountLimitUsed, {Why::kNotSupported, "/data (overlay): 0:44"}, kTestMount);
  const RuleResult result = Evaluate(facts);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
  EXPECT_NE(result.unknowns[0].why.find("/data (overlay): 0:44"), std::string::npos);
  EXPECT_EQ(result.unknowns[0].hides, std::vector<std::string>{"input.io-throttled"});
}

TEST(InputIoThrottled, CantTellWhereNoWaitIsOfAKnownMount) {
  const RuleResult result = Evaluate(IoLimitedJob()
                                         .Drop(FactId::kMountReadWait, kTestMount)
                                         .Drop(FactId::kMountOpenWait, kTestMount));
  EXPECT_TRUE(result.findings.empty());
  EXPECT_EQ(result.unknowns.size(), 1U);
}

TEST(InputIoThrottled, TheDevicesOwnTimeIsNoGain) {
  const RuleResult slow =
      Evaluate(IoLimitedJob().Set(FactId::kGainReadLimit, 0.10, Interval{0.05, 0.56}, kTestLimit));
  ASSERT_EQ(slow.findings.size(), 1U);
  EXPECT_DOUBLE_EQ(slow.findings[0].cost->share, 0.10);
  EXPECT_DOUBLE_EQ(slow.findings[0].cost->low, 0.05);
  TestFacts facts = IoLimitedJob();
  facts.Set(FactId::kGainReadLimit, 0.10, Interval{0.05, 0.56}, kTestLimit);
  const Diagnosis diagnosis = Diagnose(facts.Build(), Policy{});
  const Finding* latency = FindIn(diagnosis, "input.storage-latency");
  ASSERT_NE(latency, nullptr);
  EXPECT_TRUE(latency->explained_by.empty()) << "most of the wait is the device's own";
}

TEST(InputIoThrottled, AFullLimitIsNoCauseWhereTheLoadersDoNotRead) {
  EXPECT_EQ(Count(ComputingJob().Set(FactId::kCgroupReadUsed, 1.0, std::nullopt, kTestLimit)), 0U);
  EXPECT_EQ(Count(HealthyJob().Set(FactId::kCgroupReadUsed, 1.0, std::nullopt, kTestLimit)), 0U);
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
