#include "parse/procfs/stat.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

constexpr std::string_view kTail =
    "intr 5 1 2\nctxt 123456789012\nbtime 1700000000\nprocesses 9\nprocs_running 3\n"
    "procs_blocked 2\nsoftirq 1 2\n";

Result<ProcStat> Parse(const std::string& cpu_line) {
  return ParseProcStat(cpu_line + std::string(kTail));
}

TEST(ProcStat, ReadsTotalsAndTheCountersBelow) {
  const Result<ProcStat> stat = Parse(
      "cpu  10 20 30 40 50 60 70 80 90 100\ncpu0 1 2 3 4 5 6 7 8 9 10\n"
      "cpu12 1 2 3 4 5 6 7 8 9 10\n");
  ASSERT_TRUE(stat.ok()) << stat.error().Text();
  CpuSample expected;
  expected.user = 10;
  expected.nice = 20;
  expected.system = 30;
  expected.idle = 40;
  expected.iowait = 50;
  expected.irq = 60;
  expected.softirq = 70;
  expected.steal = 80;
  expected.context_switches = 123'456'789'012;
  expected.running = 3;
  expected.blocked = 2;
  EXPECT_EQ(stat->totals, expected);
  EXPECT_EQ(stat->cpus, 2U);
}

TEST(ProcStat, TakesTheFourColumnsOfOldKernels) {
  const Result<ProcStat> stat = Parse("cpu 10 20 30 40\n");
  ASSERT_TRUE(stat.ok());
  EXPECT_EQ(stat->totals.idle, 40U);
  EXPECT_EQ(stat->totals.steal, 0U);
}

TEST(ProcStat, SaysWhichLineIsDamaged) {
  EXPECT_EQ(Parse("cpu  10 20 30\n").error().where, "/proc/stat:1");
  EXPECT_EQ(Parse("x\ncpu  10 20 30 -4\n").error().where, "/proc/stat:2");
  EXPECT_EQ(ParseProcStat("cpu 1 2 3 4\nctxt 99999999999999999999\n").error().where,
            "/proc/stat:2");
}

TEST(ProcStat, RefusesAFileWithoutTheLinesThatCount) {
  EXPECT_FALSE(ParseProcStat("").ok());
  EXPECT_FALSE(ParseProcStat(kTail).ok());
  EXPECT_FALSE(ParseProcStat("cpu 1 2 3 4\nctxt 1\nprocs_running 1\n").ok());
}

}  // namespace
}  // namespace gpuwhy
