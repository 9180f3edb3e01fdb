#include "derive/law.h"

#include <gtest/gtest.h>

#include "derive/shares.h"

namespace gpuwhy {
namespace {

// Measured on two cores: an item is 55 ms of waiting and 45 ms of computing; the consumer is free.
Demands SixteenWorkers() {
  Demands demands;
  demands.fillers = 16;
  demands.cpu = 1.98;
  demands.delay = 11.5;
  demands.read = 16 * 0.141;
  demands.cores = 2;
  return demands;
}

Demands TwoWorkers() {
  Demands demands;
  demands.fillers = 2;
  demands.cpu = 0.89;
  demands.delay = 0.01;
  demands.read = 2 * 0.562;
  demands.cores = 2;
  return demands;
}

double Predicted(const Demands& demands, const Change& change) {
  return GainBetween(demands, demands, demands, change).value;
}

const Change kNoReads{1, 0, 1, 1, false};
const Change kTenthOfCpu{0.1, 1, 1, 1, false};

TEST(Law, SixteenWorkersOnTwoCoresGainNothingFromFasterStorage) {
  EXPECT_NEAR(Predicted(SixteenWorkers(), kNoReads), 0.01, 0.03);
}

TEST(Law, SixteenWorkersOnTwoCoresGainFromCheaperComputing) {
  EXPECT_NEAR(Predicted(SixteenWorkers(), kTenthOfCpu), 0.85, 0.03);
}

TEST(Law, TwoWorkersGainHalfFromFasterStorage) {
  EXPECT_NEAR(Predicted(TwoWorkers(), kNoReads), 0.555, 0.03);
}

TEST(Law, TwoWorkersGainFromCheaperComputing) {
  EXPECT_NEAR(Predicted(TwoWorkers(), kTenthOfCpu), 0.39, 0.03);
}

TEST(Law, ACompetitorOnTheCoresWidensTheRangeAroundTheTruth) {
  Demands demands;
  demands.fillers = 2;
  demands.cpu = 0.65;
  demands.delay = 0.54;
  demands.read = 0.80;
  demands.cores = 2;
  const GainRange gain = GainBetween(demands, demands, demands, kNoReads);
  EXPECT_NEAR(gain.interval.low, 0.40, 0.02);
  EXPECT_NEAR(gain.interval.high, 0.67, 0.02);
  EXPECT_LT(gain.interval.low, 0.47);  // what it really was
  EXPECT_GT(gain.interval.high, 0.47);
}

TEST(Law, NoGainExceedsTheConsumersOwnWait) {
  Demands demands = TwoWorkers();
  demands.consumer = 0.99;
  EXPECT_LE(GainBetween(demands, demands, demands, kNoReads).interval.high, 0.011);
}

TEST(Law, ThinkingAwayNothingSavesNothing) {
  Demands demands = SixteenWorkers();
  demands.read = 0;
  demands.fillers = 40;
  EXPECT_EQ(GainBetween(demands, demands, demands, kNoReads).interval.high, 0);
}

TEST(Law, SlackIsNotTakenForAGain) {
  Demands demands = TwoWorkers();
  demands.read = 0.02;  // the workers idle half of the time
  EXPECT_LT(Predicted(demands, kNoReads), 0.03);
}

TEST(Law, AFullQuotaIsTheCapacity) {
  Demands demands;
  demands.fillers = 4;
  demands.cpu = 0.5;
  demands.delay = 3.4;
  demands.read = 0.1;
  demands.cores = 8;
  demands.quota_cores = 0.5;
  demands.quota_delay = 1;
  const Change no_quota{1, 1, 1, 1, true};
  EXPECT_NEAR(Predicted(demands, no_quota), 0.85, 0.01);
  EXPECT_NEAR(Predicted(demands, kNoReads), 0, 0.01) << "the quota stays";
}

TEST(Law, AConsumerThatTheQuotaStopsAsWellGetsItsOwnTimeBack) {
  Demands demands;
  demands.fillers = 1;
  demands.cpu = 0.1;
  demands.delay = 0.9;
  demands.consumer = 0.5;  // seen ready to run in half of the looks: a fifth of that on a CPU
  demands.consumer_delay = 0.4;
  demands.other_cpu = 0.1;
  demands.cores = 8;
  demands.quota_cores = 0.2;
  demands.quota_delay = 1;
  const Change no_quota{1, 1, 1, 1, true};
  EXPECT_NEAR(Predicted(demands, no_quota), 0.9, 0.01);
  EXPECT_NEAR(Predicted(demands, kTenthOfCpu), 0.5, 0.06) << "the quota still stops the consumer";
  demands.quota_delay = 0.5;
  EXPECT_NEAR(GainBetween(demands, demands, demands, no_quota).interval.low, 0.45, 0.06)
      << "half of the delay is not the quota's";
}

TEST(WilsonShare, HoldsItsValueAndStaysInRange) {
  const Share half = WilsonShare(50, 100);
  EXPECT_NEAR(half.low, 0.404, 0.001);  // Wilson's interval for 50 of 100
  EXPECT_NEAR(half.high, 0.596, 0.001);
  const Share none = WilsonShare(0, 20);
  EXPECT_EQ(none.value, 0);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 0.161, 0.001);
  EXPECT_EQ(WilsonShare(0, 0).high, 1);
}

TEST(Law, AMaskCostsWhatTheIdleCoresOutsideOfItWouldDo) {
  Demands demands;
  demands.fillers = 2;
  demands.cpu = 1;
  demands.delay = 1;
  demands.cores = 1;
  const Change no_mask{.without_mask = true};
  EXPECT_EQ(Predicted(demands, no_mask), 0) << "nothing is idle outside";
  demands.idle_outside = 1;
  EXPECT_NEAR(Predicted(demands, no_mask), 0.5, 0.01);
  demands.idle_outside = 100;
  EXPECT_NEAR(Predicted(demands, no_mask), 0.5, 0.01) << "two loaders fill two cores";
  demands.quota_delay = 1;
  demands.quota_cores = 1;
  EXPECT_NEAR(Predicted(demands, no_mask), 0, 0.01) << "the quota keeps them waiting";
}

}  // namespace
}  // namespace gpuwhy
