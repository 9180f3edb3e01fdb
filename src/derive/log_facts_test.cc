#include "derive/log_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gpuwhy {
namespace {

NumberSeries Series(std::vector<double> points) {
  NumberSeries series;
  series.points = points;
  series.count = points.size();
  series.first = points.front();
  series.last = points.back();
  series.min = series.max = points.front();
  for (const double x : points) {
    series.sum += x;
    series.min = std::min(series.min, x);
    series.max = std::max(series.max, x);
  }
  return series;
}

FactSet FactsOf(TrainingLog training) {
  LogText log;
  log.name = "run.log";
  log.training = std::move(training);
  FactSet facts;
  DeriveLogs({log}, facts);
  return facts;
}

double Number(const FactSet& facts, FactId id) {
  return facts.Number(id, Subject{SubjectKind::kInput, "run.log"}).ValueOr(-1);
}

TEST(LogFacts, RunningMeansSpeakOfEveryStep) {
  TrainingLog log;
  log.step_s = log.data_step_s = Series({0.2, 0.2, 3.0});
  log.data_s = Series({0.0, 0.0, 2.8});
  log.mean_step_s = 1.0;
  log.mean_data_s = 0.25;
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogDataShare), 0.25);
}

TEST(LogFacts, MedianAndNinetyFivePercentAreOfAllStepsThatCount) {
  TrainingLog log;
  log.step_s = Series({0.4, 0.6, 0.5, 0.7});
  const FactSet facts = FactsOf(log);
  ASSERT_TRUE(facts.step);
  EXPECT_EQ(facts.step->count, 4U);
  EXPECT_EQ(facts.step->left_out, 0U);
  EXPECT_DOUBLE_EQ(facts.step->median_s, 0.55);
  EXPECT_NEAR(facts.step->p95_s, 0.685, 1e-9);
}

TEST(LogFacts, AFirstStepThatHoldsStartUpIsLeftOutAndCounted) {
  TrainingLog log;
  log.step_s = Series({8, 0.5, 0.6, 0.7});
  log.spanned_steps = 60;
  const FactSet facts = FactsOf(log);
  ASSERT_TRUE(facts.step);
  EXPECT_EQ(facts.step->count, 3U);
  EXPECT_EQ(facts.step->left_out, 1U);
  EXPECT_EQ(facts.step->span, 61U);
  EXPECT_DOUBLE_EQ(facts.step->median_s, 0.6);
}

TEST(LogFacts, OfMeansSinceTheStartWhatLiesBetweenTwoLinesCounts) {
  TrainingLog log;
  log.step_s = log.data_step_s = Series({30, 2, 2, 2});
  log.data_s = Series({29, 0.5, 0.5, 0.5});
  // 21 steps in all: the first took 30 s, 29 of them for data; the others 2 s and 0.5 s each.
  log.first_means = RunningMeans{0, 30, 29};
  log.last_means = RunningMeans{20, 70.0 / 21, 39.0 / 21};
  log.mean_step_s = log.last_means->step_s;
  log.mean_data_s = log.last_means->data_s;
  const FactSet facts = FactsOf(log);
  EXPECT_NEAR(Number(facts, FactId::kLogDataShare), 0.25, 1e-9);
  EXPECT_NEAR(Number(facts, FactId::kLogDataTime), 0.5, 1e-9);
}

TEST(LogFacts, MeansThatThePrintedStepsBelieAreNoMeansSinceTheStart) {
  TrainingLog log;
  log.step_s = log.data_step_s = Series({2, 2, 2, 2});
  log.data_s = Series({1, 1, 1, 1});
  // A mean of the last few steps only: as totals these would make steps of 200 s.
  log.first_means = RunningMeans{100, 2, 1};
  log.last_means = RunningMeans{110, 20, 4};
  log.mean_step_s = 20;
  log.mean_data_s = 4;
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogDataShare), 0.2);
}

TEST(LogFacts, DataThatExceedsTheStepLiesOutsideOfIt) {
  TrainingLog log;
  log.step_s = log.data_step_s = Series({1, 1, 1, 1});
  log.data_s = Series({0, 0, 12, 0});
  log.data_over_step = 1;
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogDataShare), 0.75);
}

TEST(LogFacts, OneSlowStepIsJitterAndNoDrift) {
  TrainingLog log;
  log.step_s = Series({1, 1, 1, 1, 1, 1, 1, 1, 1, 9});
  const FactSet facts = FactsOf(log);
  EXPECT_DOUBLE_EQ(Number(facts, FactId::kLogStepDrift), 0);
  EXPECT_NEAR(Number(facts, FactId::kLogStepJitter), 8.0 / 17, 1e-9);
}

TEST(LogFacts, TheFirstStepIsNoPartOfTheDrift) {
  TrainingLog log;
  log.step_s = Series({0.01, 2, 2, 2, 2, 2, 2, 2, 2, 2});
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogStepDrift), 0);
}

TEST(LogFacts, ARateThatDriftsWhileStampsAreEvenIsARunningMean) {
  TrainingLog log;
  log.stamp_step_s = Series({10, 10, 10, 10, 10, 10});
  log.rate = Series({900, 700, 640, 610, 600, 595});
  EXPECT_GT(Number(FactsOf(log), FactId::kLogRateRunningMean), 0.3);
  log.rate = Series({600, 599, 601, 600, 600, 600});
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogRateRunningMean), -1);
}

TEST(LogFacts, AnOverflowingGradientNowAndThenIsNormal) {
  TrainingLog log;
  log.step_s = Series({1, 1, 1});
  log.loss = log.grad_norm = Series({1, 1, 1, 1, 1});
  log.grad_bad = 2;
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogBadLosses), -1);
}

TEST(LogFacts, AnnotationsAreNotCountedAsKernels) {
  ProfilerTable table;
  table.kind = "torch";
  table.cpu_total_s = 1;
  table.device_total_s = 1.6;
  ProfilerRow cpu;
  cpu.name = "my block";
  cpu.self_cpu_s = 0.5;
  ProfilerRow twin = cpu;
  twin.self_cpu_s = 0;
  twin.self_device_s = 0.8;
  table.rows = {cpu, twin};
  LogText log;
  log.name = "run.log";
  log.profiles = {table};
  FactSet facts;
  DeriveLogs({log}, facts);
  EXPECT_DOUBLE_EQ(Number(facts, FactId::kProfileDeviceShare), 0.8);
  log.profiles[0].device_total_s = 0.3;
  log.profiles[0].rows[0].self_cpu_s = 0.4;
  FactSet cut;
  DeriveLogs({log}, cut);
  EXPECT_EQ(cut.Find(FactId::kProfileDeviceShare, Subject{SubjectKind::kInput, "run.log"}), nullptr)
      << "what the other rows would say is not known";
}

TEST(LogFacts, StepsThatStillCompileAreNoJitter) {
  TrainingLog log;
  log.step_s = Series({38, 9, 8, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2});
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogStepJitter), 0);
  log.step_s = Series({38, 0.2, 0.2, 0.2, 9, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2});
  EXPECT_GT(Number(FactsOf(log), FactId::kLogStepJitter), 0.5);
}

TEST(LogFacts, ARateThatFallsAsFastAtTheEndIsNoMeanSinceTheStart) {
  TrainingLog log;
  std::vector<double> falls;
  std::vector<double> settles;
  for (int i = 1; i <= 60; ++i) {
    falls.push_back(800.0 - 5 * i);
    settles.push_back(800.0 + 400.0 / i);
  }
  log.stamp_step_s = Series(std::vector<double>(60, 1.0));
  log.rate = Series(falls);
  EXPECT_DOUBLE_EQ(Number(FactsOf(log), FactId::kLogRateRunningMean), -1);
  log.rate = Series(settles);
  EXPECT_GT(Number(FactsOf(log), FactId::kLogRateRunningMean), 0.1);
}

}  // namespace
}  // namespace gpuwhy
