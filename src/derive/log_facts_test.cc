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
  cpu.self_cpu_s = 0.1;
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
}

}  // namespace
}  // namespace gpuwhy
