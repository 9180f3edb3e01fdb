#include "cli/exit_code.h"

#include <gtest/gtest.h>

#include "report/test_diagnosis.h"

namespace gpuwhy {
namespace {

Diagnosis With(const char* id) {
  Diagnosis diagnosis;
  Finding finding;
  finding.id = id;
  diagnosis.findings = {finding};
  diagnosis.verdict = 0;
  return diagnosis;
}

TEST(ExitCode, NothingFoundIsZero) {
  EXPECT_EQ(ExitCode(Diagnosis{}, FailOn::kAny), 0);
  EXPECT_EQ(ExitCode(UndecidedJobs(), FailOn::kAny), 0);
}

TEST(ExitCode, AFaultToFixIsOneUnlessOnlyDrainingCounts) {
  EXPECT_EQ(ExitCode(StarvedJob(), FailOn::kAny), 1);
  EXPECT_EQ(ExitCode(StarvedJob(), FailOn::kFix), 1);
  EXPECT_EQ(ExitCode(StarvedJob(), FailOn::kDrain), 0);
}

TEST(ExitCode, ANodeToDrainAlwaysCounts) {
  EXPECT_EQ(ExitCode(LostGpu(), FailOn::kAny), 1);
  EXPECT_EQ(ExitCode(LostGpu(), FailOn::kFix), 1);
  EXPECT_EQ(ExitCode(LostGpu(), FailOn::kDrain), 1);
}

TEST(ExitCode, WhatIsOnlyToBeWatchedCountsForAny) {
  ASSERT_EQ(FindFinding("job.slowing")->action, Action::kWatch);
  EXPECT_EQ(ExitCode(With("job.slowing"), FailOn::kAny), 1);
  EXPECT_EQ(ExitCode(With("job.slowing"), FailOn::kFix), 0);
}

TEST(ExitCode, AnOkNeverCounts) { EXPECT_EQ(ExitCode(With("metric.cumulative"), FailOn::kAny), 0); }

TEST(ExitCode, AHealthyJobIsZeroWhateverElseWasSeen) {
  Diagnosis diagnosis = HealthyJob();
  diagnosis.findings.push_back(StarvedJob().findings[0]);
  EXPECT_EQ(ExitCode(diagnosis, FailOn::kAny), 0);
}

TEST(ExitCode, NothingMeasuredIsThree) {
  EXPECT_EQ(ExitCode(NothingMeasured(), FailOn::kDrain), 3);
}

}  // namespace
}  // namespace gpuwhy
