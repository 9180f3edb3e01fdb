#include "report/job_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace gpuwhy {
namespace {

TEST(AgeText, HasTheTwoUnitsThatMatter) {
  EXPECT_EQ(AgeText(0), "0 s");
  EXPECT_EQ(AgeText(59.9), "59 s");
  EXPECT_EQ(AgeText(60), "1 min");
  EXPECT_EQ(AgeText(7500), "2 h 5 min");
  EXPECT_EQ(AgeText(3 * 86400 + 4 * 3600 + 59 * 60), "3 d 4 h");
}

TEST(AgeText, WhatIsNoTimeIsUnknown) {
  EXPECT_EQ(AgeText(-1), "unknown");
  EXPECT_EQ(AgeText(std::numeric_limits<double>::quiet_NaN()), "unknown");
  EXPECT_EQ(AgeText(1e300), "unknown");
}

TEST(JobText, TellsWhereItRunsAndWhatItTakes) {
  JobFacts job;
  job.command = "python3";
  job.processes = 4;
  job.threads = 23;
  job.score = 0.87;
  EXPECT_EQ(JobText(job), "python3, 4 processes, 23 threads, likeness to a job 0.87");
  job.cores = 1.5;
  job.age_s = 7500.0;
  job.working_folder = "/home/ana/exp7";
  job.cgroup = "/slurm/job_12";
  job.given = true;
  EXPECT_EQ(JobText(job),
            "python3, 4 processes, 23 threads, uses 1.5 cores, runs for 2 h 5 min, in "
            "/home/ana/exp7, control group /slurm/job_12, given by --pid");
}

}  // namespace
}  // namespace gpuwhy
