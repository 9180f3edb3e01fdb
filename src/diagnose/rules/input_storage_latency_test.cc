#include "diagnose/rules/input_storage_latency.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return InputStorageLatency(facts.Build(), Policy{}); }

void ExpectSilence(const TestFacts& facts) {
  const RuleResult result = Evaluate(facts);
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.unknowns.empty());
}

TEST(InputStorageLatency, NamesTheMountAndWhatItCosts) {
  const RuleResult result = Evaluate(StorageStarvedJob());
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.subject, kTestJob);
  EXPECT_EQ(finding.cost, (Cost{0.50, 0.44, 0.56, CostBasis::kLaw}));
  EXPECT_NE(finding.title.find("/data (nfs4)"), std::string::npos) << finding.title;
  EXPECT_EQ(finding.confidence, Confidence::kHigh);
  EXPECT_TRUE(finding.causes.empty()) << "reads are the larger part";
  EXPECT_EQ(finding.verify,
            "for i in $(seq 20); do ps -L -o s=,wchan:32= -p 101,102,103,104; sleep 0.2; done "
            "| sort | uniq -c | sort -rn");
}

TEST(InputStorageLatency, DoesNotHoldForAHealthyJobOrWithoutOne) {
  ExpectSilence(HealthyJob());
  TestFacts no_job = StorageStarvedJob();
  no_job.jobs.clear();
  ExpectSilence(no_job);
}

TEST(InputStorageLatency, LoadersMayWaitWhileNobodyWaitsForThem) {
  ExpectSilence(StorageStarvedJob().Set(FactId::kConsumerWait, 0.06, Interval{0.0499, 0.08}));
  EXPECT_EQ(Evaluate(StorageStarvedJob().Set(FactId::kConsumerWait, 0.06, Interval{0.05, 0.08}))
                .findings.size(),
            1U);
}

TEST(InputStorageLatency, NeedsTheLoadersToWaitForStorage) {
  TestFacts facts = StorageStarvedJob();
  facts.Set(FactId::kFillersReadWait, 0.04, Interval{0.03, 0.06});
  ExpectSilence(facts.Set(FactId::kFillersOpenWait, 0.03, Interval{0.019, 0.04}));
  EXPECT_EQ(
      Evaluate(facts.Set(FactId::kFillersOpenWait, 0.03, Interval{0.021, 0.04})).findings.size(),
      1U);
}

TEST(InputStorageLatency, IsSilentWhereStorageCouldGiveNothingBack) {
  ExpectSilence(StorageStarvedJob().Set(FactId::kGainStorage, 0.0, Interval{0.0, 0.0099}));
  EXPECT_EQ(Evaluate(StorageStarvedJob().Set(FactId::kGainStorage, 0.0, Interval{0.0, 0.01}))
                .findings.size(),
            1U);
}

TEST(InputStorageLatency, NamesManySmallFilesAsItsCause) {
  const RuleResult result = Evaluate(MetadataStarvedJob());
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].causes, std::vector<std::string>{"input.metadata-storm"});
}

TEST(InputStorageLatency, HostFiguresAloneAreNoEvidence) {
  const Subject host{};
  TestFacts facts = HealthyJob();
  facts.Set(FactId::kHostCpuIowait, 0.9, std::nullopt, host);
  ExpectSilence(facts.Set(FactId::kHostPsiIo, 0.99, std::nullopt, host));
  TestFacts starved = StorageStarvedJob();
  starved.Set(FactId::kHostPsiIo, 0.99, std::nullopt, host);
  const RuleResult result = Evaluate(starved);
  ASSERT_EQ(result.findings.size(), 1U);
  const Evidence& last = result.findings[0].evidence.back();
  EXPECT_EQ(last.fact.id, FactId::kHostPsiIo);
  EXPECT_NE(last.how.find("context"), std::string::npos);
}

TEST(InputStorageLatency, CantTellWhatWasNotSeen) {
  for (const FactId id : {FactId::kConsumerWait, FactId::kFillersReadWait, FactId::kFillersOpenWait,
                          FactId::kGainStorage}) {
    const RuleResult result =
        Evaluate(StorageStarvedJob().Miss(id, {Why::kNoPermission, "/proc/101/syscall"}));
    EXPECT_TRUE(result.findings.empty()) << Id(id);
    ASSERT_EQ(result.unknowns.size(), 1U) << Id(id);
    const Unknown& unknown = result.unknowns[0];
    EXPECT_EQ(unknown.what, Info(id).meaning);
    EXPECT_NE(unknown.why.find("/proc/101/syscall"), std::string::npos);
    EXPECT_NE(unknown.how.find("root"), std::string::npos);
    EXPECT_EQ(unknown.hides, std::vector<std::string>{"input.storage-latency"});
  }
}

TEST(InputStorageLatency, MissingFaultsAreNoObstacle) {
  EXPECT_EQ(Evaluate(StorageStarvedJob().Drop(FactId::kFillersFaultWait)).findings.size(), 1U);
}

TEST(InputStorageLatency, ConfidenceFollowsProofAndLooks) {
  TestFacts unproven = StorageStarvedJob();
  unproven.wait_chain[0].proof = "membership";
  EXPECT_EQ(Evaluate(unproven).findings[0].confidence, Confidence::kMedium);
  EXPECT_EQ(
      Evaluate(StorageStarvedJob().SetLooks(FactId::kFillersReadWait, 59)).findings[0].confidence,
      Confidence::kMedium);
  EXPECT_EQ(
      Evaluate(StorageStarvedJob().SetLooks(FactId::kFillersReadWait, 60)).findings[0].confidence,
      Confidence::kHigh);
  EXPECT_EQ(
      Evaluate(StorageStarvedJob().SetLooks(FactId::kFillersReadWait, 19)).findings[0].confidence,
      Confidence::kLow);
  EXPECT_EQ(Evaluate(StorageStarvedJob().Set(FactId::kGainStorage, 0.06, Interval{0.049, 0.07}))
                .findings[0]
                .confidence,
            Confidence::kLow);
}

TEST(InputStorageLatency, HostileNamesArePrintable) {
  TestFacts facts = StorageStarvedJob();
  const Subject mount{SubjectKind::kMount, "/d\x1b[2J"};
  facts.Set(FactId::kMountReadWait, 0.9, std::nullopt, mount);
  const Finding finding = Evaluate(facts).findings.at(0);
  EXPECT_EQ((finding.title + finding.meaning + finding.fix).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace gpuwhy
