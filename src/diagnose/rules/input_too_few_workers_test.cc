#include "diagnose/rules/input_too_few_workers.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

RuleResult Evaluate(const TestFacts& facts) { return InputTooFewWorkers(facts.Build(), Policy{}); }

std::size_t Count(const TestFacts& facts) { return Evaluate(facts).findings.size(); }

TEST(InputTooFewWorkers, AFaultWithACost) {
  const RuleResult result = Evaluate(OneLoaderJob());
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].cost, (Cost{0.60, 0.50, 0.65, CostBasis::kLaw}));
  EXPECT_NE(result.findings[0].meaning.find("98 %"), std::string::npos);
}

TEST(InputTooFewWorkers, DoesNotHoldJustUnderEachThreshold) {
  EXPECT_EQ(Count(OneLoaderJob().Set(FactId::kFillersRun, 0.80)), 1U);
  EXPECT_EQ(Count(OneLoaderJob().Set(FactId::kFillersRun, 0.799)), 0U) << "it waits for something";
  EXPECT_EQ(Count(OneLoaderJob().Set(FactId::kGainWorkers, 0.1, Interval{0.05, 0.2})), 1U);
  EXPECT_EQ(Count(OneLoaderJob().Set(FactId::kGainWorkers, 0.1, Interval{0.049, 0.2})), 0U);
  EXPECT_EQ(Count(OneLoaderJob().Set(FactId::kConsumerWait, 0.06, Interval{0.049, 0.07})), 0U);
}

TEST(InputTooFewWorkers, AFullQuotaWouldStopTheNewOnesToo) {
  TestFacts facts = ThrottledJob();
  facts.Set(FactId::kFillers, 2).Set(FactId::kGainWorkers, 0.5, Interval{0.4, 0.6});
  EXPECT_EQ(Count(facts), 0U);
}

TEST(InputTooFewWorkers, CantTellHowManyCoresAreIdle) {
  const RuleResult result =
      Evaluate(OneLoaderJob().Miss(FactId::kGainWorkers, {Why::kFailed, "/proc/stat"}));
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
}

}  // namespace
}  // namespace gpuwhy
