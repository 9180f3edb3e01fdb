// The other rules on traces: precision, software, batch, and several ranks.
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "diagnose/rules/trace/test_trace.h"
#include "diagnose/rules/trace/trace_rules.h"

namespace gpuwhy::traced {
namespace {

using Evaluate = RuleResult (*)(const FactSet&, const Policy&);

const Subject kOther{SubjectKind::kRank, "1"};

RuleResult Judge(Evaluate rule, const TestTrace& trace) { return rule(trace.Build(), Policy{}); }
std::size_t Count(Evaluate rule, const TestTrace& trace) {
  return Judge(rule, trace).findings.size();
}
TestTrace Copy(TestTrace trace) { return trace; }
std::size_t Unknowns(Evaluate rule, const TestTrace& trace) {
  return Judge(rule, trace).unknowns.size();
}

TEST(PrecisionTf32Off, IsAStateFromTheThresholdOn) {
  EXPECT_EQ(Count(PrecisionTf32Off, TestTrace().Set(FactId::kStepPlainFp32, 0.05)), 1U);
  EXPECT_EQ(Count(PrecisionTf32Off, TestTrace().Set(FactId::kStepPlainFp32, 0.049)), 0U);
  EXPECT_EQ(Unknowns(PrecisionTf32Off, TestTrace().Drop(FactId::kStepPlainFp32)), 1U);
  const Diagnosis diagnosis =
      Diagnose(TestTrace().Set(FactId::kStepPlainFp32, 0.30).Build(), Policy{});
  EXPECT_FALSE(diagnosis.verdict.has_value()) << "FP32 may be needed";
}

TEST(PrecisionTensorCoresIdle, CostsByTheRatioOfTheRates) {
  const RuleResult result =
      Judge(PrecisionTensorCoresIdle, TestTrace().Set(FactId::kStepPlainHalf, 0.40));
  ASSERT_EQ(result.findings.size(), 1U);
  const Cost& cost = *result.findings[0].cost;
  EXPECT_NEAR(cost.low, 0.20, 1e-9);
  EXPECT_NEAR(cost.share, 0.30, 1e-9);
  EXPECT_NEAR(cost.high, 0.35, 1e-9);
  EXPECT_EQ(cost.basis, CostBasis::kRatio);
}

TEST(PrecisionTensorCoresIdle, ThresholdAndUnknown) {
  EXPECT_EQ(Count(PrecisionTensorCoresIdle, TestTrace().Set(FactId::kStepPlainHalf, 0.05)), 1U);
  EXPECT_EQ(Count(PrecisionTensorCoresIdle, TestTrace().Set(FactId::kStepPlainHalf, 0.049)), 0U);
  EXPECT_EQ(Unknowns(PrecisionTensorCoresIdle, TestTrace().Drop(FactId::kStepPlainHalf)), 1U);
}

TestTrace Recompiling() {
  TestTrace trace;
  return trace.Between(FactId::kStepCompile, 0.20, 0.25).Set(FactId::kStepCompileSteps, 0.8);
}

TEST(SoftwareRecompiling, HoldsWhereHalfOfTheStepsCompile) {
  EXPECT_EQ(Count(SoftwareRecompiling, Recompiling()), 1U);
  EXPECT_EQ(Count(SoftwareRecompiling, Recompiling().Set(FactId::kStepCompileSteps, 0.49)), 0U);
  EXPECT_EQ(Count(SoftwareRecompiling, Recompiling().Between(FactId::kStepCompile, 0, 0.25)), 0U)
      << "one step had all of it";
  EXPECT_EQ(Unknowns(SoftwareRecompiling, Recompiling().Drop(FactId::kStepCompileSteps)), 1U);
}

TEST(EnvLaunchBlocking, HostAndDeviceSideBySideNeedTheLonger) {
  TestTrace trace;
  trace.Set(FactId::kTraceBlocking, 0.99).Set(FactId::kStepIdle, 0.40);
  const RuleResult result = Judge(EnvLaunchBlocking, trace);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(*result.findings[0].cost, (Cost{0.40, 0.20, 0.40, CostBasis::kLaw}));
  EXPECT_EQ(Count(EnvLaunchBlocking, trace.Set(FactId::kTraceBlocking, 0.949)), 0U);
  trace.Set(FactId::kTraceBlocking, 0.99).Drop(FactId::kStepIdle);
  EXPECT_EQ(Unknowns(EnvLaunchBlocking, trace), 1U);
}

TestTrace SmallBatch() {
  TestTrace trace;
  trace.Set(FactId::kStepDispatch, 0.60).Set(FactId::kStepDispatchSure, 0.30);
  trace.Set(FactId::kGainLaunches, 0.70);
  return trace.Set(FactId::kTraceTiny, 0.90).Set(FactId::kTraceSmallGrids, 0.50);
}

TEST(InputBatchSmall, StandsBesideLaunchBoundAndTakesNothingFromIt) {
  const Diagnosis diagnosis = Diagnose(SmallBatch().Build(), Policy{});
  ASSERT_TRUE(diagnosis.verdict.has_value());
  EXPECT_EQ(diagnosis.findings[0].id, "step.launch-bound");
  EXPECT_EQ(Count(InputBatchSmall, SmallBatch()), 1U);
}

TEST(InputBatchSmall, ThresholdAndUnknown) {
  EXPECT_EQ(Count(InputBatchSmall, SmallBatch().Set(FactId::kTraceSmallGrids, 0.499)), 0U);
  EXPECT_EQ(Count(InputBatchSmall, SmallBatch().Set(FactId::kTraceTiny, 0.499)), 0U);
  EXPECT_EQ(Unknowns(InputBatchSmall, SmallBatch().Drop(FactId::kTraceSmallGrids)), 1U);
}

TEST(ScalingPeerWait, OneRankAloneIsALimit) {
  TestTrace trace;
  trace.Set(FactId::kStepComm, 0.70).Set(FactId::kStepPeerWait, 0.60);
  const RuleResult result = Judge(ScalingPeerWait, trace);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].bound, 0.60);
  EXPECT_EQ(Count(ScalingCommBound, trace), 0U) << "waiting is not moving data";
}

TEST(ScalingPeerWait, ThresholdUnknownAndSeveralRanks) {
  TestTrace trace;
  trace.Set(FactId::kStepComm, 0.70).Set(FactId::kStepPeerWait, 0.249);
  EXPECT_EQ(Count(ScalingPeerWait, trace), 0U);
  EXPECT_EQ(Count(ScalingPeerWait, trace.Set(FactId::kStepPeerWait, 0.25)), 1U);
  EXPECT_EQ(Unknowns(ScalingPeerWait, Copy(trace).Drop(FactId::kStepPeerWait)), 1U);
  EXPECT_EQ(Count(ScalingPeerWait, trace.Set(FactId::kStepTime, 0.1, kOther)), 0U);
}

TEST(ScalingCommBound, IsTheLargestPartWithoutTheWaits) {
  TestTrace trace;
  trace.Set(FactId::kStepComm, 0.65).Set(FactId::kStepPeerWait, 0.05);
  const RuleResult result = Judge(ScalingCommBound, trace);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_NEAR(*result.findings[0].bound, 0.60, 1e-9);
}

TEST(ScalingCommBound, ThresholdAndUnknown) {
  TestTrace trace;
  trace.Set(FactId::kStepComm, 0.29).Set(FactId::kStepCompute, 0.10);
  EXPECT_EQ(Count(ScalingCommBound, trace), 1U);
  EXPECT_EQ(Count(ScalingCommBound, Copy(trace).Set(FactId::kStepComm, 0.249)), 0U);
  EXPECT_EQ(Count(ScalingCommBound, Copy(trace).Set(FactId::kStepCompute, 0.30)), 0U);
  EXPECT_EQ(Unknowns(ScalingCommBound, trace.Drop(FactId::kStepPeerWait)), 1U);
}

TestTrace LateRank(const std::string& reason) {
  TestTrace trace;
  trace.SetText(FactId::kRankReason, reason);
  trace.Between(FactId::kRankLateAlone, 0.25, 0.27).Set(FactId::kRankSpared, 0.40);
  trace.Set(FactId::kRankLast, 0.38).Set(FactId::kRankExcess, 0.35);
  return trace.Set(FactId::kRankKernels, 1.0);
}

TEST(ScalingStraggler, CarriesTheRankAndWhy) {
  const RuleResult result = Judge(ScalingStraggler, LateRank("host"));
  ASSERT_EQ(result.findings.size(), 1U);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.subject.Text(), "rank:0");
  EXPECT_EQ(*finding.cost, (Cost{0.27, 0.25, 0.40, CostBasis::kTimeline}));
  EXPECT_EQ(finding.confidence, Confidence::kHigh);
  EXPECT_NE(finding.meaning.find("its host takes longer"), std::string::npos) << finding.meaning;
}

TEST(ScalingStraggler, SilentWithoutALateRank) {
  EXPECT_EQ(Count(ScalingStraggler, LateRank("host").Drop(FactId::kRankReason)), 0U);
  EXPECT_EQ(Count(ScalingStraggler, LateRank("host").Drop(FactId::kRankLateAlone)), 0U);
}

TEST(ScalingStraggler, IsLessSureWhereNoPartOfItsTimeStandsOut) {
  const RuleResult result =
      Judge(ScalingStraggler, LateRank("unknown").Set(FactId::kRankExcess, 0.01));
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].confidence, Confidence::kMedium);
}

TEST(ScalingUnevenWork, ExplainsTheStraggler) {
  const TestTrace trace = LateRank("more-work").Set(FactId::kRankKernels, 1.2);
  const Diagnosis diagnosis = Diagnose(trace.Build(), Policy{});
  ASSERT_GE(diagnosis.findings.size(), 2U);
  EXPECT_EQ(diagnosis.findings[0].id, "scaling.uneven-work");
  EXPECT_EQ(diagnosis.findings[1].id, "scaling.straggler");
  EXPECT_EQ(diagnosis.findings[1].explained_by, std::vector<std::string>{"scaling.uneven-work"});
}

TEST(ScalingUnevenWork, ThresholdAndUnknown) {
  EXPECT_EQ(Count(ScalingUnevenWork, LateRank("more-work").Set(FactId::kRankKernels, 1.10)), 0U);
  EXPECT_EQ(Count(ScalingUnevenWork, LateRank("slow-device").Set(FactId::kRankKernels, 1.2)), 0U);
  EXPECT_EQ(Unknowns(ScalingUnevenWork, LateRank("more-work").Drop(FactId::kRankKernels)), 1U);
}

TEST(TraceRules, OfManyRanksTheWorstIsNamedAndTheOthersWithIt) {
  TestTrace trace;
  trace.Set(FactId::kStepInputWait, 0.10).Set(FactId::kGainInput, 0.10);
  trace.Set(FactId::kStepTime, 0.1, kOther).Set(FactId::kStepInputWait, 0.30, kOther);
  const RuleResult result = Judge(StepInputBound, trace);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].subject, kOther);
  EXPECT_NE(result.findings[0].meaning.find("rank:0"), std::string::npos);
}

}  // namespace
}  // namespace gpuwhy::traced
