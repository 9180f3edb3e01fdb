#include "diagnose/rules/job_no_demand.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return JobNoDemand(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

TEST(JobNoDemand, HoldsForAServerWithoutRequests) {
  const RuleResult result = Evaluate(IdleServer());
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].severity, Severity::kInfo);
  EXPECT_EQ(result.findings[0].verify,
            "for i in 1 2 3 4 5; do cat /proc/100/wchan; echo; sleep 1; done");
}

TEST(JobNoDemand, DoesNotHoldJustUnderItsThresholds) {
  EXPECT_EQ(Count(HealthyJob()), 0U);
  EXPECT_EQ(Count(IdleServer().Set(FactId::kConsumerRequests, 0.85, Interval{0.80, 0.90})), 1U);
  EXPECT_EQ(Count(IdleServer().Set(FactId::kConsumerRequests, 0.85, Interval{0.799, 0.90})), 0U);
  EXPECT_EQ(Count(IdleServer().Set(FactId::kJobRun, 0.25)), 1U);
  EXPECT_EQ(Count(IdleServer().Set(FactId::kJobRun, 0.251)), 0U);
}

TEST(JobNoDemand, AStarvedConsumerIsNoIdleServer) {
  EXPECT_EQ(Count(IdleServer().Set(FactId::kConsumerWait, 0.04, Interval{0.02, 0.05})), 0U);
  EXPECT_EQ(Count(IdleServer().Set(FactId::kConsumerWait, 0.04, Interval{0.02, 0.049})), 1U);
}

TEST(JobNoDemand, ASleepOnATimerMayBeAPoll) {
  EXPECT_EQ(Count(IdleServer().Set(FactId::kConsumerTimer, 0.48)), 1U);
  EXPECT_EQ(Count(IdleServer().Set(FactId::kConsumerTimer, 0.49)), 0U);
}

TEST(JobNoDemand, CantTellWhereOneOfThreeIsMissingAndTheOthersAgree) {
  for (const FactId id : {FactId::kConsumerRequests, FactId::kConsumerWait, FactId::kJobRun}) {
    const RuleResult result = Evaluate(IdleServer().Drop(id));
    EXPECT_TRUE(result.findings.empty()) << Id(id);
    ASSERT_EQ(result.unknowns.size(), 1U) << Id(id);
    EXPECT_EQ(result.unknowns[0].hides, std::vector<std::string>{"job.no-demand"});
  }
  EXPECT_TRUE(Evaluate(StorageStarvedJob().Drop(FactId::kConsumerRequests)).unknowns.empty())
      << "a starved job has demand, whatever else is unknown";
}

}  // namespace
}  // namespace gpuwhy
