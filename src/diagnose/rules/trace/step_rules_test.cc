// Each rule on steps of a trace: it holds, it does not hold just under its threshold, it can't
// tell.
#include <gtest/gtest.h>

#include <vector>

#include "diagnose/diagnose.h"
#include "diagnose/rules/trace/test_trace.h"
#include "diagnose/rules/trace/trace_rules.h"

namespace gpuwhy::traced {
namespace {

using Evaluate = RuleResult (*)(const FactSet&, const Policy&);

std::optional<Finding> Found(Evaluate rule, const TestTrace& trace) {
  RuleResult result = rule(trace.Build(), Policy{});
  if (result.findings.empty()) return std::nullopt;
  return result.findings[0];
}

bool Holds(Evaluate rule, const TestTrace& trace) { return Found(rule, trace).has_value(); }

std::size_t Unknowns(Evaluate rule, const TestTrace& trace) {
  const RuleResult result = rule(trace.Build(), Policy{});
  return result.findings.empty() ? result.unknowns.size() : 0;
}

constexpr Evaluate kAll[] = {
    EnvLaunchBlocking, InputBatchSmall,     InputPageableMemory, PrecisionTensorCoresIdle,
    PrecisionTf32Off,  ScalingCommBound,    ScalingPeerWait,     ScalingStraggler,
    ScalingUnevenWork, SoftwareRecompiling, StepComputeBound,    StepContainsOtherPhase,
    StepInputBound,    StepLaunchBound,     StepOptimizerBound,  StepReformatBound,
    StepSyncBound,     StepTransferBound,   StepUnexplained};

TEST(StepRules, AFedTraceHasNoFindingAndNoVerdict) {
  for (const Evaluate rule : kAll) EXPECT_FALSE(Holds(rule, TestTrace()));
  const Diagnosis diagnosis = Diagnose(TestTrace().Build(), Policy{});
  EXPECT_TRUE(diagnosis.findings.empty());
  EXPECT_FALSE(diagnosis.verdict.has_value());
  EXPECT_TRUE(diagnosis.measured);
}

TEST(StepRules, WithoutAStepNothingIsClaimedAndOneThingIsUnknown) {
  TestTrace trace;
  trace.Set(FactId::kStepInputWait, 0.9).Set(FactId::kStepCompute, 0.9).WithoutSteps();
  const Diagnosis diagnosis = Diagnose(trace.Build(), Policy{});
  EXPECT_TRUE(diagnosis.findings.empty());
  ASSERT_EQ(diagnosis.unknown.size(), 1U);
  EXPECT_EQ(diagnosis.unknown[0].why, "no whole step");
  EXPECT_GT(diagnosis.unknown[0].hides.size(), 10U);
}

TEST(StepRules, OneOddStepIsNotEnough) {
  TestTrace trace;
  for (const FactId id : {FactId::kStepInputWait, FactId::kStepTransfer, FactId::kStepPageable,
                          FactId::kStepReformat, FactId::kStepPlainFp32, FactId::kStepCompile})
    trace.Between(id, 0, 0.5);
  for (const Evaluate rule : kAll) EXPECT_FALSE(Holds(rule, trace));
}

TEST(StepRules, SilentOnWatchedJobs) {
  for (const Evaluate rule : kAll) {
    const RuleResult result = rule(HealthyJob().Build(), Policy{});
    EXPECT_TRUE(result.findings.empty() && result.unknowns.empty());
  }
}

TEST(StepInputBound, CostsWhatTheReplayGivesBack) {
  TestTrace trace;
  trace.Between(FactId::kStepInputWait, 0.30, 0.34).Set(FactId::kGainInput, 0.29);
  const std::optional<Finding> finding = Found(StepInputBound, trace);
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(*finding->cost, (Cost{0.29, 0.29, 0.34, CostBasis::kTimeline}));
  EXPECT_EQ(finding->confidence, Confidence::kHigh);
  EXPECT_EQ(finding->verify, "gpuwhy trace --verbose 'a b.json'");
}

TEST(StepInputBound, Threshold) {
  EXPECT_TRUE(Holds(StepInputBound, TestTrace().Set(FactId::kStepInputWait, 0.05)));
  EXPECT_FALSE(Holds(StepInputBound, TestTrace().Set(FactId::kStepInputWait, 0.049)));
}

TEST(StepInputBound, CantTellWithoutTheAnatomy) {
  EXPECT_EQ(Unknowns(StepInputBound, TestTrace().Drop(FactId::kStepInputWait)), 1U);
}

TestTrace LaunchBound() {
  TestTrace trace;
  trace.Set(FactId::kStepDispatch, 0.40).Set(FactId::kStepDispatchSure, 0.15);
  return trace.Set(FactId::kGainLaunches, 0.50);
}

TEST(StepLaunchBound, CostsAtLeastWhatTheProfilerCantHaveMade) {
  const std::optional<Finding> finding = Found(StepLaunchBound, LaunchBound());
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(*finding->cost, (Cost{0.40, 0.15, 0.50, CostBasis::kTimeline}));
  EXPECT_EQ(finding->confidence, Confidence::kMedium);
}

TEST(StepLaunchBound, MustSurviveHalfOfTheHostsTime) {
  EXPECT_TRUE(Holds(StepLaunchBound, LaunchBound().Set(FactId::kStepDispatchSure, 0.05)));
  EXPECT_FALSE(Holds(StepLaunchBound, LaunchBound().Set(FactId::kStepDispatchSure, 0.049)));
}

TEST(StepLaunchBound, TheReplayCanDeny) {
  EXPECT_FALSE(Holds(StepLaunchBound, LaunchBound().Set(FactId::kGainLaunches, 0.04)));
  EXPECT_TRUE(Holds(StepLaunchBound, LaunchBound().Drop(FactId::kGainLaunches)));
}

TEST(StepLaunchBound, CantTellWithoutTheWaits) {
  EXPECT_EQ(Unknowns(StepLaunchBound, LaunchBound().Drop(FactId::kStepDispatchSure)), 1U);
}

TestTrace SyncBound() {
  TestTrace trace;
  trace.SetText(FactId::kStepSyncCall, "cudaStreamSynchronize");
  return trace.Set(FactId::kStepSyncBubble, 0.20).Set(FactId::kGainSync, 0.12);
}

TEST(StepSyncBound, CostsTheLesserOfBubbleAndReplay) {
  const std::optional<Finding> finding = Found(StepSyncBound, SyncBound());
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(*finding->cost, (Cost{0.12, 0.12, 0.20, CostBasis::kTimeline}));
  EXPECT_NE(finding->meaning.find("cudaStreamSynchronize"), std::string::npos);
}

TEST(StepSyncBound, BothMustReachTheThreshold) {
  EXPECT_TRUE(Holds(StepSyncBound, SyncBound().Set(FactId::kStepSyncBubble, 0.05)));
  EXPECT_FALSE(Holds(StepSyncBound, SyncBound().Set(FactId::kStepSyncBubble, 0.049)));
  EXPECT_FALSE(Holds(StepSyncBound, SyncBound().Set(FactId::kGainSync, 0.049)));
}

TEST(StepSyncBound, CantTellWithoutAReplay) {
  EXPECT_EQ(Unknowns(StepSyncBound, SyncBound().Drop(FactId::kGainSync)), 1U);
}

TEST(StepTransferBound, OverlapIsTheLeastAndAllTheMost) {
  TestTrace trace;
  trace.Set(FactId::kStepTransfer, 0.90).Set(FactId::kTraceOverlapBound, 0.04);
  trace.Set(FactId::kGainCopies, 0.60);
  const std::optional<Finding> finding = Found(StepTransferBound, trace);
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(*finding->cost, (Cost{0.60, 0.04, 0.90, CostBasis::kTimeline}));
}

TEST(StepTransferBound, Threshold) {
  EXPECT_TRUE(Holds(StepTransferBound, TestTrace().Set(FactId::kStepTransfer, 0.05)));
  EXPECT_FALSE(Holds(StepTransferBound, TestTrace().Set(FactId::kStepTransfer, 0.049)));
}

TEST(StepTransferBound, CantTellWithoutTheAnatomy) {
  EXPECT_EQ(Unknowns(StepTransferBound, TestTrace().Drop(FactId::kStepTransfer)), 1U);
}

TEST(InputPageableMemory, CostsByTheRatesOfThisTrace) {
  TestTrace trace;
  trace.Set(FactId::kStepPageable, 0.10).Set(FactId::kGainCopies, 0.08);
  trace.Set(FactId::kTracePageableRate, 6e9).Set(FactId::kTracePinnedRate, 12e9);
  const std::optional<Finding> finding = Found(InputPageableMemory, trace);
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(*finding->cost, (Cost{0.08, 0.05, 0.10, CostBasis::kTimeline}));
}

TEST(InputPageableMemory, Threshold) {
  EXPECT_TRUE(Holds(InputPageableMemory, TestTrace().Set(FactId::kStepPageable, 0.010)));
  EXPECT_FALSE(Holds(InputPageableMemory, TestTrace().Set(FactId::kStepPageable, 0.009)));
}

TEST(InputPageableMemory, CantTellWithoutTheCopies) {
  EXPECT_EQ(Unknowns(InputPageableMemory, TestTrace().Drop(FactId::kStepPageable)), 1U);
}

TEST(StepComputeBound, IsALimitFromHalfOfTheStepOn) {
  const std::optional<Finding> finding =
      Found(StepComputeBound, TestTrace().Set(FactId::kStepCompute, 0.50));
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->bound, 0.50);
  EXPECT_FALSE(finding->cost.has_value());
  EXPECT_FALSE(Holds(StepComputeBound, TestTrace().Set(FactId::kStepCompute, 0.499)));
  EXPECT_EQ(Unknowns(StepComputeBound, TestTrace().Drop(FactId::kStepCompute)), 1U);
}

TEST(StepReformatBound, PromisesNothingForSure) {
  const std::optional<Finding> finding =
      Found(StepReformatBound, TestTrace().Set(FactId::kStepReformat, 0.30));
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(*finding->cost, (Cost{0.15, 0, 0.30, CostBasis::kTimeline}));
}

TEST(StepReformatBound, ThresholdAndUnknown) {
  EXPECT_TRUE(Holds(StepReformatBound, TestTrace().Set(FactId::kStepReformat, 0.25)));
  EXPECT_FALSE(Holds(StepReformatBound, TestTrace().Set(FactId::kStepReformat, 0.249)));
  EXPECT_EQ(Unknowns(StepReformatBound, TestTrace().Drop(FactId::kStepReformat)), 1U);
}

TEST(StepOptimizerBound, IsALimitFromHalfOfTheStepOn) {
  EXPECT_TRUE(Holds(StepOptimizerBound, TestTrace().Set(FactId::kStepOptimizer, 0.50)));
  EXPECT_FALSE(Holds(StepOptimizerBound, TestTrace().Set(FactId::kStepOptimizer, 0.499)));
  EXPECT_EQ(Unknowns(StepOptimizerBound, TestTrace().Drop(FactId::kStepOptimizer)), 1U);
}

TEST(StepUnexplained, AddsUpWhatNothingAccountsForAndIsNeverTheVerdict) {
  TestTrace trace;
  trace.Set(FactId::kStepQueued, 0.40).Set(FactId::kStepStall, 0.10);
  const std::optional<Finding> finding = Found(StepUnexplained, trace);
  ASSERT_TRUE(finding.has_value());
  EXPECT_NE(finding->title.find("50 %"), std::string::npos) << finding->title;
  EXPECT_FALSE(Diagnose(trace.Build(), Policy{}).verdict.has_value());
  EXPECT_FALSE(Holds(StepUnexplained, TestTrace().Set(FactId::kStepQueued, 0.049)));
  EXPECT_EQ(Unknowns(StepUnexplained, TestTrace().WithoutSteps()), 1U);
}

TEST(StepUnexplained, DoesNotCallUnexplainedWhatTheHostWasSeenDoing) {
  const auto told = [](double stall, double unknown) {
    TestTrace trace;
    trace.Set(FactId::kStepStall, stall).Set(FactId::kStepUnexplained, unknown);
    const std::optional<Finding> finding = Found(StepUnexplained, trace);
    return (finding ? finding->title : std::string()) + "\n" +
           Diagnose(trace.Build(), Policy{}).summary;
  };
  const std::string stall = told(0.40, 0);
  EXPECT_EQ(stall.find("does not say"), std::string::npos) << stall;
  EXPECT_NE(stall.find("40 %"), std::string::npos) << stall;
  const std::string unknown = told(0, 0.40);
  EXPECT_EQ(unknown.find("of its own"), std::string::npos) << unknown;
  EXPECT_NE(unknown.find("does not say why it idles"), std::string::npos) << unknown;
  const std::string both = told(0.10, 0.30);
  for (const char* part : {"40 %", "10 %", "30 %", "does not say"})
    EXPECT_NE(both.find(part), std::string::npos) << both;
}

TEST(StepContainsOtherPhase, SaysWhichStepsAreNoSteps) {
  const std::optional<Finding> warm =
      Found(StepContainsOtherPhase, TestTrace().Set(FactId::kStepFirst, 3.2));
  ASSERT_TRUE(warm.has_value());
  EXPECT_NE(warm->meaning.find("3.2 times"), std::string::npos);
  TestTrace phases;
  phases.Set(FactId::kStepOtherPhase, 0.05).Set(FactId::kStepPhaseSteps, 1);
  EXPECT_TRUE(Holds(StepContainsOtherPhase, phases));
  EXPECT_FALSE(Holds(StepContainsOtherPhase, phases.Set(FactId::kStepOtherPhase, 0.049)));
  EXPECT_EQ(Unknowns(StepContainsOtherPhase, TestTrace().WithoutSteps()), 1U);
}

}  // namespace
}  // namespace gpuwhy::traced
