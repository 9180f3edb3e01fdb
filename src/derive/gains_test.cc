#include "derive/gains.h"

#include <gtest/gtest.h>

#include "derive/derive.h"
#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

const Subject kTheJob{SubjectKind::kJob, "10"};

double NumberOf(const FactSet& facts, FactId id) {
  const Reading<double> value = facts.Number(id, kTheJob);
  EXPECT_TRUE(value.has()) << Id(id) << ": " << (value ? "" : value.missing().detail);
  return value.ValueOr(-1);
}

/// A trainer that always waits, and `workers` loaders that are always ready to run, of which each
/// gets run_s of the 10 s. Of 8 CPUs `busy` are used.
CaptureBuilder ComputingJob(int workers, double run_s, double busy) {
  CaptureBuilder builder = PipeJob(workers);
  builder.Looks(10, 10, 200, WaitsForPipe(builder)).Used(10, 10, 0, 0, 500);
  for (int pid = 11; pid < 11 + workers; ++pid) {
    builder.Looks(pid, pid, 200, Running()).Used(pid, pid, run_s, 10 - run_s, 500);
  }
  builder.CpusBusy(busy);
  return builder;
}

TEST(Gains, OthersOnAllOtherCoresAreWhatTwoLoadersLose) {
  // Two loaders get half a core each while others use the other seven.
  CaptureBuilder builder = ComputingJob(2, 5, 8);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kOthersRun), 7, 0.01);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainContention), 0.5, 0.01);
}

TEST(Gains, WithoutOthersNothingIsGainedFromThem) {
  const FactSet facts = Derive(ComputingJob(2, 5, 1).capture);
  EXPECT_EQ(NumberOf(facts, FactId::kOthersRun), 0);
  EXPECT_EQ(NumberOf(facts, FactId::kGainContention), 0);
}

TEST(Gains, TheQuotaPartOfTheDelayIsNotTheOthers) {
  CaptureBuilder builder = ComputingJob(2, 5, 8);
  builder.Quota("/job", 100'000, 100, 100);
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(NumberOf(facts, FactId::kGainContention), 0) << "it was stopped in every period";
}

TEST(Gains, WithoutTheHostsFigureContentionIsMissing) {
  CaptureBuilder builder = ComputingJob(2, 5, 8);
  builder.capture.cpu.clear();
  const FactSet facts = Derive(builder.capture);
  for (const FactId id : {FactId::kGainContention, FactId::kGainWorkers, FactId::kOthersRun}) {
    EXPECT_FALSE(facts.Number(id, kTheJob).has()) << Id(id);
  }
}

TEST(Gains, OneLoaderLeavesRoomForSeven) {
  const FactSet facts = Derive(ComputingJob(1, 10, 1).capture);
  const Fact* gain = facts.Find(FactId::kGainWorkers, kTheJob);
  ASSERT_NE(gain, nullptr);
  EXPECT_NEAR(gain->interval.low, 0.5, 0.01) << "one more loader";
  EXPECT_NEAR(gain->interval.high, 7.0 / 8, 0.01) << "as many as the cores carry";
}

TEST(Gains, FullCoresHaveNoRoomForMoreLoaders) {
  EXPECT_NEAR(NumberOf(Derive(ComputingJob(8, 10, 8).capture), FactId::kGainWorkers), 0, 0.01);
  EXPECT_NEAR(NumberOf(Derive(ComputingJob(1, 10, 8).capture), FactId::kGainWorkers), 0, 0.01)
      << "others hold the rest";
}

TEST(Gains, ChildrenThatCameAndWentAreNotOthers) {
  // Of five busy cores the job's own processes use one; four went to children of a loader that
  // lived between two looks.
  CaptureBuilder builder = ComputingJob(2, 5, 5);
  builder.Ticks(10, 0, 0).Ticks(11, 500, 4000).Ticks(12, 500, 0);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kJobRun), 1, 0.01);
  EXPECT_NEAR(NumberOf(facts, FactId::kJobRunAll), 5, 0.01);
  EXPECT_NEAR(NumberOf(facts, FactId::kOthersRun), 0, 0.01);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainContention), 0, 0.01);
}

TEST(Gains, WhatAnEndedMemberUsedBeforeTheWindowIsNotOfTheWindow) {
  CaptureBuilder builder = ComputingJob(2, 5, 5);
  builder.Ticks(10, 0, 0).Ticks(11, 500, 0).Ticks(12, 500, 0);
  // Process 12 had used an hour; it ended after 5 s. Its parent got that hour, the 5 s that were
  // seen, and 1 s between the last look and its end.
  ProcessCounters& ended = builder.capture.process_counters.back();
  ended.at.ns -= std::chrono::seconds(5);
  for (ProcessCounters& sample : builder.capture.process_counters) {
    if (sample.pid == 12) sample.cpu_ticks = *sample.cpu_ticks + 360'000;
    if (sample.pid == 10 && sample.at.ns > std::chrono::seconds(105)) {
      sample.children_ticks = *sample.children_ticks + 360'000 + 700;
    }
  }
  EXPECT_NEAR(NumberOf(Derive(builder.capture), FactId::kJobRunAll), 1.1, 0.02);
}

TEST(Gains, ChildrenThatNobodyWaitsForLeaveWhatWasSeen) {
  CaptureBuilder builder = ComputingJob(2, 5, 5);
  builder.Ticks(10, 0, 0).Ticks(11, 500, 0).Ticks(12, 500, 0);
  // As above, but nobody got the hour of process 12.
  ProcessCounters& ended = builder.capture.process_counters.back();
  ended.at.ns -= std::chrono::seconds(5);
  for (ProcessCounters& sample : builder.capture.process_counters) {
    if (sample.pid == 12) sample.cpu_ticks = *sample.cpu_ticks + 360'000;
  }
  EXPECT_NEAR(NumberOf(Derive(builder.capture), FactId::kJobRunAll), 1, 0.02);
}

TEST(Gains, AConsumerThatTheQuotaStopsIsPartOfWhatTheQuotaCosts) {
  CaptureBuilder builder = PipeJob(1);
  const Doing waits = WaitsForPipe(builder);
  for (std::uint32_t tick = 0; tick < 200; ++tick) {
    builder.Look(10, 10, tick, tick % 2 == 0 ? waits : Running());
  }
  builder.Used(10, 10, 1, 4, 500);
  builder.Looks(11, 11, 200, Running()).Used(11, 11, 1, 8.9, 500);
  builder.Quota("/job", 20'000, 100, 100);
  // Both need a tenth of the time; without the consumer's own delay it would be at most a half.
  EXPECT_NEAR(NumberOf(Derive(builder.capture), FactId::kGainQuota), 0.89, 0.02);
}

TEST(Gains, IdleCoresOutsideOfTheMaskAreWhatItCosts) {
  // Two loaders share the one core that they may use; the other seven are idle.
  CaptureBuilder builder = ComputingJob(2, 5, 1);
  for (ProcessSeen& process : builder.capture.processes) process.cpus_allowed = 1U;
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainAffinity), 0.5, 0.01);
  EXPECT_NEAR(NumberOf(Derive(ComputingJob(2, 5, 8).capture), FactId::kGainAffinity), 0, 0.01);
}

}  // namespace
}  // namespace gpuwhy
