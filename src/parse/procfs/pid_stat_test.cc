#include "parse/procfs/pid_stat.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

std::string Line(const std::string& command) {
  return "4711 (" + command +
         ") D 4700 4690 4680 0 -1 4194304 100 200 33 44 5 6 0 0 20 0 17 0 124367 4595712 450";
}

TEST(PidStat, FieldsAreTakenByTheirNumbers) {
  const Result<PidStat> stat = ParsePidStat(Line("python3"));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->pid, 4711);
  EXPECT_EQ(stat->command, "python3");
  EXPECT_EQ(stat->state, 'D');
  EXPECT_EQ(stat->ppid, 4700);
  EXPECT_EQ(stat->pgrp, 4690);
  EXPECT_EQ(stat->session, 4680);
  EXPECT_FALSE(stat->kernel_thread);
  EXPECT_EQ(stat->major_faults, 33U);
  EXPECT_EQ(stat->user_ticks, 5U);
  EXPECT_EQ(stat->system_ticks, 6U);
  EXPECT_EQ(stat->threads, 17U);
  EXPECT_EQ(stat->start_ticks, 124367U);
}

TEST(PidStat, ACommandThatImitatesTheRestDoesNotMoveTheFields) {
  const std::string hostile = "a) R 1 (b\n";
  const Result<PidStat> stat = ParsePidStat(Line(hostile));
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->command, hostile);
  EXPECT_EQ(stat->state, 'D');
  EXPECT_EQ(stat->ppid, 4700);
  EXPECT_EQ(ParseStateLetter(Line(hostile)), 'D');
}

TEST(PidStat, KernelThreadsAreToldByTheirFlag) {
  const Result<PidStat> stat =
      ParsePidStat("2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 1 0 0 20 0 1 0 7 0 0");
  ASSERT_TRUE(stat);
  EXPECT_TRUE(stat->kernel_thread);
}

TEST(PidStat, TextThatIsCutOffIsAnError) {
  EXPECT_FALSE(ParsePidStat(""));
  EXPECT_FALSE(ParsePidStat("4711 (python3"));
  EXPECT_FALSE(ParsePidStat("4711 (python3) "));
  EXPECT_FALSE(ParsePidStat("4711 (python3) D 4700 4690"));
  EXPECT_FALSE(ParsePidStat("x (python3) D 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 10 11"));
  EXPECT_EQ(ParseStateLetter("4711 (python3"), '\0');
}

}  // namespace
}  // namespace gpuwhy
