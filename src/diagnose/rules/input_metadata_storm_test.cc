#include "diagnose/rules/input_metadata_storm.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return InputMetadataStorm(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

TEST(InputMetadataStorm, HoldsForManyDifferentFiles) {
  const RuleResult result = Evaluate(MetadataStarvedJob().Set(FactId::kJobReadSize, 1e6));
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.cost, (Cost{0.44, 0.38, 0.50, CostBasis::kLaw}));
  EXPECT_NE(finding.title.find("/data (nfs4)"), std::string::npos);
  EXPECT_EQ(finding.verify, "timeout 10 strace -f -c -e trace=file,read,pread64 -p 101");
}

TEST(InputMetadataStorm, DoesNotHoldWhereReadsAreTheLargerPart) {
  EXPECT_EQ(Count(StorageStarvedJob()), 0U);
  EXPECT_EQ(Count(HealthyJob()), 0U);
  TestFacts facts = MetadataStarvedJob();
  facts.Set(FactId::kFillersReadWait, 0.30, Interval{0.25, 0.35});
  EXPECT_EQ(Count(facts.Set(FactId::kFillersOpenWait, 0.30, Interval{0.25, 0.35})), 1U);
  EXPECT_EQ(Count(facts.Set(FactId::kFillersOpenWait, 0.299, Interval{0.25, 0.35})), 0U);
}

TEST(InputMetadataStorm, FaultsCountAsReading) {
  EXPECT_EQ(Count(MetadataStarvedJob().Set(FactId::kFillersFaultWait, 0.55)), 0U);
}

TEST(InputMetadataStorm, OneFileOpenedAgainAndAgainIsNone) {
  TestFacts facts = MetadataStarvedJob();
  facts.Set(FactId::kJobReadSize, 1e6);
  EXPECT_EQ(Count(facts.Set(FactId::kMountOpenDistinct, 20, std::nullopt, kTestMount)), 1U);
  EXPECT_EQ(Count(facts.Set(FactId::kMountOpenDistinct, 19, std::nullopt, kTestMount)), 0U);
}

TEST(InputMetadataStorm, SmallReadsStandInForNames) {
  TestFacts facts = MetadataStarvedJob();
  facts.Set(FactId::kMountOpenNamed, 4, std::nullopt, kTestMount);
  EXPECT_EQ(Count(facts.Set(FactId::kJobReadSize, 262144)), 1U);
  EXPECT_EQ(Count(facts.Set(FactId::kJobReadSize, 262145)), 0U);
}

TEST(InputMetadataStorm, CantTellWithoutNamesAndSizes) {
  TestFacts facts = MetadataStarvedJob();
  facts.Set(FactId::kMountOpenNamed, 4, std::nullopt, kTestMount);
  facts.Miss(FactId::kJobReadSize, {Why::kNoPermission, "/proc/101/io"});
  const RuleResult result = Evaluate(facts);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
  EXPECT_EQ(result.unknowns[0].hides, std::vector<std::string>{"input.metadata-storm"});
}

TEST(InputMetadataStorm, CantTellWithoutTheWaits) {
  for (const FactId id : {FactId::kConsumerWait, FactId::kFillersReadWait, FactId::kFillersOpenWait,
                          FactId::kGainStorageOpen}) {
    const RuleResult result = Evaluate(MetadataStarvedJob().Drop(id));
    EXPECT_TRUE(result.findings.empty()) << Id(id);
    EXPECT_EQ(result.unknowns.size(), 1U) << Id(id);
  }
}

TEST(InputMetadataStorm, IsSilentWhereOpensCouldGiveNothingBack) {
  EXPECT_EQ(Count(MetadataStarvedJob().Set(FactId::kGainStorageOpen, 0, Interval{0, 0.0099})), 0U);
  EXPECT_EQ(Count(MetadataStarvedJob().Set(FactId::kConsumerWait, 0.05, Interval{0.049, 0.06})),
            0U);
}

}  // namespace
}  // namespace gpuwhy
