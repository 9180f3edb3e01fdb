#include "diagnose/causes.h"

#include <gtest/gtest.h>

#include "diagnose/ranking.h"

namespace gpuwhy {
namespace {

Finding Make(std::string id, std::optional<Cost> cost = std::nullopt) {
  Finding finding;
  finding.id = std::move(id);
  finding.subject = {SubjectKind::kJob, "1"};
  finding.cost = cost;
  return finding;
}

Cost Law(double low) { return {low + 0.02, low, low + 0.04, CostBasis::kLaw}; }

TEST(PossibleCauses, HoldForTheSameSubjectOrWhereTheRuleBoundThem) {
  std::vector<Finding> findings = {Make("cpu.contended"), Make("cpu.quota-throttled")};
  EXPECT_EQ(PossibleCauses(findings), (CauseGraph{{1}, {}}));
  findings[1].subject.id = "2";
  EXPECT_EQ(PossibleCauses(findings), (CauseGraph{{}, {}}));
  findings[0].causes = {"cpu.quota-throttled"};
  EXPECT_EQ(PossibleCauses(findings), (CauseGraph{{1}, {}}));
}

TEST(PossibleCauses, AreOnlyWhatTheVocabularyAllows) {
  std::vector<Finding> findings = {Make("cpu.quota-throttled"), Make("cpu.contended")};
  findings[0].causes = {"cpu.contended"};
  EXPECT_EQ(PossibleCauses(findings), (CauseGraph{{}, {0}}));
}

TEST(PossibleCauses, AStateTakesNothingFromAFault) {
  // The slot is a state: it may not swallow the fault that costs bandwidth.
  EXPECT_EQ(PossibleCauses({Make("pcie.width-degraded"), Make("pcie.slot-limited")}),
            (CauseGraph{{}, {}}));
  // But a state may explain a state.
  EXPECT_EQ(PossibleCauses({Make("gpu.memory-held-idle"), Make("gpu.waiting")}),
            (CauseGraph{{1}, {}}));
}

TEST(DropCircles, TwoThatExplainEachOtherExplainNothing) {
  CauseGraph graph = {{1}, {0}};
  DropCircles(graph);
  EXPECT_EQ(graph, (CauseGraph{{}, {}}));
}

TEST(DropCircles, LeavesWhatComesFromOutside) {
  CauseGraph graph = {{1}, {2}, {0, 3}, {}, {1}};
  DropCircles(graph);
  EXPECT_EQ(graph, (CauseGraph{{}, {}, {3}, {}, {1}}));
}

TEST(DropCircles, KeepsChainsAndDiamonds) {
  const CauseGraph chain = {{1, 2}, {3}, {3}, {}};
  CauseGraph graph = chain;
  DropCircles(graph);
  EXPECT_EQ(graph, chain);
}

TEST(DropCircles, HandlesOneThatExplainsItself) {
  CauseGraph graph = {{0}};
  DropCircles(graph);
  EXPECT_EQ(graph, (CauseGraph{{}}));
}

TEST(Vocabulary, HasNoCirclesToDrop) {
  std::vector<Finding> all;
  for (const FindingInfo& info : AllFindings()) all.push_back(Make(std::string(info.id)));
  const CauseGraph before = PossibleCauses(all);
  CauseGraph after = before;
  DropCircles(after);
  EXPECT_EQ(after, before);
}

TEST(CoveringCauses, NeedSeventyPercentOfTheLow) {
  const RankingPolicy policy;
  const std::vector<Finding> enough = {Make("cpu.contended", Law(0.10)),
                                       Make("cpu.quota-throttled", Law(0.07))};
  EXPECT_EQ(CoveringCauses(enough, policy), (CauseGraph{{1}, {}}));
  const std::vector<Finding> little = {Make("cpu.contended", Law(0.10)),
                                       Make("cpu.quota-throttled", Law(0.069))};
  EXPECT_EQ(CoveringCauses(little, policy), (CauseGraph{{}, {}}));
}

TEST(CoveringCauses, AnUnknownCostCoversNoKnownOne) {
  EXPECT_EQ(CoveringCauses({Make("cpu.contended", Law(0.10)), Make("cpu.quota-throttled")}, {}),
            (CauseGraph{{}, {}}));
  EXPECT_EQ(CoveringCauses({Make("cpu.contended"), Make("cpu.quota-throttled")}, {}),
            (CauseGraph{{1}, {}}))
      << "where neither is known, the vocabulary decides";
}

TEST(CoveringCauses, ALowOfZeroIsNotCoveredByAnything) {
  Finding slowdown = Make("clock.hw-slowdown", Cost{0.30, 0, 0.35, CostBasis::kRatio});
  Finding thermal = Make("clock.thermal", Cost{0.01, 0, 0.02, CostBasis::kRatio});
  EXPECT_EQ(CoveringCauses({slowdown, thermal}, {}), (CauseGraph{{}, {}}));
  thermal.cost->share = 0.29;
  EXPECT_EQ(CoveringCauses({slowdown, thermal}, {}), (CauseGraph{{1}, {}}));
}

TEST(CoveringCauses, OnePercentDoesNotExplainALimitAway) {
  Finding bound = Make("gpu.compute-bound");
  bound.bound = 0.95;
  Finding thermal = Make("clock.thermal", Cost{0.01, 0.01, 0.01, CostBasis::kRatio});
  EXPECT_EQ(CoveringCauses({bound, thermal}, {}), (CauseGraph{{}, {}}));
  thermal.cost->share = 0.06;
  EXPECT_EQ(CoveringCauses({bound, thermal}, {}), (CauseGraph{{1}, {}}));
}

TEST(CoveringCauses, WhatBlocksNeedsACauseThatBlocksOrWasBound) {
  Finding crashed = Make("job.stuck");
  EXPECT_EQ(CoveringCauses({crashed, Make("nccl.hang")}, {}), (CauseGraph{{1}, {}}));
  EXPECT_EQ(CoveringCauses({crashed, Make("input.storage-latency")}, {}), (CauseGraph{{}, {}}));
  crashed.causes = {"input.storage-latency"};
  EXPECT_EQ(CoveringCauses({crashed, Make("input.storage-latency")}, {}), (CauseGraph{{1}, {}}));
}

TEST(Rank, TakesNoCostWithoutABasisOrThatIsNoNumber) {
  for (const Cost& cost : {Cost{0.9, 0.9, 0.9, CostBasis::kNone},
                           Cost{std::numeric_limits<double>::quiet_NaN(), 0, 1, CostBasis::kLaw}}) {
    const Ranking ranking = Rank({Make("cpu.contended", cost)}, {true, 0}, {});
    ASSERT_EQ(ranking.findings.size(), 1U);
    EXPECT_FALSE(ranking.findings[0].cost.has_value());
    EXPECT_EQ(ranking.verdict, 0U) << "it slows, without basis";
  }
}

TEST(Rank, OfNothingIsNothing) {
  const Ranking ranking = Rank({}, {}, {});
  EXPECT_TRUE(ranking.findings.empty());
  EXPECT_FALSE(ranking.verdict.has_value());
}

}  // namespace
}  // namespace gpuwhy
