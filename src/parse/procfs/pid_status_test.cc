#include "parse/procfs/pid_status.h"

#include <gtest/gtest.h>

#include <limits>

namespace gpuwhy {
namespace {

constexpr std::string_view kStatus =
    "Name:\tpy\\nUid:\t9\nState:\tS (sleeping)\nUid:\t1000\t1001\t1002\t1003\nNSpid:\t4711\t12\n"
    "VmRSS:\t    1924 kB\nVmSwap:\t       8 kB\nThreads:\t17\nCpus_allowed:\tff\n"
    "Cpus_allowed_list:\t0-3,8\nvoluntary_ctxt_switches:\t150\n"
    "nonvoluntary_ctxt_switches:\t7\n";

TEST(PidStatus, LinesBecomeReadings) {
  const PidStatus status = ParsePidStatus(kStatus);
  EXPECT_EQ(status.uid.ValueOr(0), 1001U) << "the effective one";
  EXPECT_EQ(status.threads.ValueOr(0), 17U);
  EXPECT_EQ(status.cpus_allowed.ValueOr(0), 5U) << "the list comes after the mask and wins";
  EXPECT_EQ(status.resident_kib.ValueOr(0), 1924U);
  EXPECT_EQ(status.swapped_kib.ValueOr(0), 8U);
  EXPECT_EQ(status.voluntary.ValueOr(0), 150U);
  EXPECT_EQ(status.involuntary.ValueOr(0), 7U);
  EXPECT_EQ(status.namespace_pids, (std::vector<std::int32_t>{4711, 12}));
}

TEST(PidStatus, WhatIsNotThereIsMissing) {
  const PidStatus status = ParsePidStatus("Name:\tzombie\nVmSwap:\tmany kB\n");
  EXPECT_EQ(status.resident_kib.missing().why, Why::kNotPresent);
  EXPECT_EQ(status.swapped_kib.missing().why, Why::kFailed);
  EXPECT_FALSE(status.cpus_allowed);
  EXPECT_TRUE(status.namespace_pids.empty());
}

TEST(PidStatus, TheMaskCountsWhereThereIsNoList) {
  EXPECT_EQ(ParsePidStatus("Cpus_allowed:\t3,0000000f\n").cpus_allowed.ValueOr(0), 6U);
  EXPECT_FALSE(ParsePidStatus("Cpus_allowed:\tx\n").cpus_allowed);
}

TEST(SchedStat, ThreeNumbersAreNeeded) {
  const Result<SchedStat> stat = ParseSchedStat("780281 12 2\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->run_ns, 780281U);
  EXPECT_EQ(stat->delay_ns, 12U);
  EXPECT_EQ(stat->slices, 2U);
  EXPECT_FALSE(ParseSchedStat("1 2"));
  EXPECT_FALSE(ParseSchedStat(""));
}

TEST(PidIo, CancelledWritesAreNoWrites) {
  const PidIo io = ParsePidIo(
      "rchar: 1\nwchar: 2\nsyscr: 3\nsyscw: 4\nread_bytes: 5\nwrite_bytes: 6\n"
      "cancelled_write_bytes: 7\n");
  EXPECT_EQ(io.read_chars.ValueOr(0), 1U);
  EXPECT_EQ(io.write_chars.ValueOr(0), 2U);
  EXPECT_EQ(io.read_calls.ValueOr(0), 3U);
  EXPECT_EQ(io.write_calls.ValueOr(0), 4U);
  EXPECT_EQ(io.read_bytes.ValueOr(0), 5U);
  EXPECT_EQ(io.write_bytes.ValueOr(0), 6U);
  EXPECT_EQ(ParsePidIo("").read_bytes.missing().why, Why::kNotPresent);
}

TEST(Limits, TheSoftLimitOfOpenFilesIsTheFirstNumber) {
  const std::string_view text =
      "Limit                     Soft Limit           Hard Limit           Units\n"
      "Max open files            1024                 524288               files\n";
  EXPECT_EQ(ParseOpenFilesLimit(text).ValueOr(0), 1024U);
  EXPECT_EQ(ParseOpenFilesLimit("Max open files   unlimited unlimited files").ValueOr(0),
            std::numeric_limits<std::uint64_t>::max());
  EXPECT_FALSE(ParseOpenFilesLimit("Max open files"));
  EXPECT_EQ(
      ParseLockedMemoryLimit("Max locked memory         65536                unlimited            "
                             "bytes\n")
          .ValueOr(0),
      65536U);
  EXPECT_FALSE(ParseLockedMemoryLimit("Max open files  1 1 files\n"));
}

}  // namespace
}  // namespace gpuwhy
