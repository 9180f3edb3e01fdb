// top, ps and pidstat.
#include <gtest/gtest.h>

#include "parse/host/test_host_text.h"

namespace gpuwhy {
namespace {

using F = HostField;

TEST(Top, ScreensOfASeries) {
  const HostRead read = ReadHost(HostSeed("top"));
  EXPECT_TRUE(read.Named("top"));
  const HostRow* first = read.Find(HostTable::kProcess, "7044", 0);
  const HostRow* second = read.Find(HostTable::kProcess, "7044", 1);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(first->span, ReportSpan::kSinceStart);
  EXPECT_EQ(second->span, ReportSpan::kInterval);
  EXPECT_EQ(second->Text(F::kState), "D");
  EXPECT_EQ(second->Text(F::kCommand), "pt_data_worker");
  EXPECT_DOUBLE_EQ(*read.Find(HostTable::kProcess, "8100", 1)->Number(F::kCores), 7.8);
  const HostRow* cpu = read.Find(HostTable::kCpu, "all", 1);
  ASSERT_NE(cpu, nullptr);
  EXPECT_DOUBLE_EQ(*cpu->Number(F::kUser), 1);
  EXPECT_DOUBLE_EQ(*cpu->Number(F::kIdle), 0);
}

TEST(Top, SummaryOfOtherLocalesAndVersions) {
  const HostRead comma = ReadHost(
      "top - 10:00:01 up 1 day,  1:00,  1 user,  load average: 3,05, 2,00, 1,00\n"
      "%Cpu(s):  1,2 us,  0,3 sy,  0,0 ni,100,0 id,  0,0 wa,  0,0 hi,  0,1 si,  9,5 st\n"
      "KiB Mem : 1000000 total,  200000 free,  300000 used,  500000 buff/cache\n"
      "KiB Swap:  100000 total,   90000 free,   10000 used.   600000 avail Mem\n");
  const HostRow* cpu = comma.Find(HostTable::kCpu, "all", 0);
  ASSERT_NE(cpu, nullptr);
  EXPECT_DOUBLE_EQ(*cpu->Number(F::kIdle), 1);
  EXPECT_DOUBLE_EQ(*cpu->Number(F::kSteal), 0.095);
  EXPECT_DOUBLE_EQ(*comma.Find(HostTable::kMachine, "", 0)->Number(F::kLoad), 3.05);
  EXPECT_EQ(comma.Count(HostTable::kMemory, ReportSpan::kMoment), 2U);
  const HostRead old = ReadHost(
      "top - 10:00:01 up 1 day,  1:00,  1 user,  load average: 3.05, 2.00, 1.00\n"
      "Cpu(s):  1.2%us,  0.3%sy,  0.0%ni, 90.0%id,  8.5%wa,  0.0%hi,  0.0%si,  0.0%st\n");
  EXPECT_DOUBLE_EQ(*old.Find(HostTable::kCpu, "all", 0)->Number(F::kIowait), 0.085);
}

TEST(Top, ThreadsAreRowsOfTheirOwnNumber) {
  const HostRead read = ReadHost(
      "top - 10:00:01 up 1 day,  1:00,  1 user,  load average: 3.05, 2.00, 1.00\n"
      "Threads: 900 total,   2 running, 898 sleeping,   0 stopped,   0 zombie\n"
      "    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND\n"
      "   7001 ml        20   0   41.2g   9.1g 820000 R  99.9   7.2 310:11.20 python3 my train\n");
  const HostRow* row = read.Find(HostTable::kProcess, "7001", 0);
  ASSERT_NE(row, nullptr);
  EXPECT_DOUBLE_EQ(*row->Number(F::kThread), 7001);
  EXPECT_EQ(row->span, ReportSpan::kMoment);
  EXPECT_EQ(row->Text(F::kCommand), "python3 my train");
}

TEST(Ps, AnyChoiceOfColumns) {
  const HostRead read = ReadHost(HostSeed("ps"));
  EXPECT_TRUE(read.Named("ps"));
  const HostRow* row = read.Find(HostTable::kProcess, "7044", 0);
  ASSERT_NE(row, nullptr);
  EXPECT_DOUBLE_EQ(*row->Number(F::kParent), 7001);
  EXPECT_EQ(row->Text(F::kState), "Dl");
  EXPECT_EQ(row->Text(F::kKernelWait), "rpc_wait_bit_killable");
  EXPECT_EQ(row->Text(F::kCommand), "python3 train.py --data /data/train --epochs 90");
  EXPECT_DOUBLE_EQ(*row->Number(F::kLastCpu), 5);
  EXPECT_EQ(read.Find(HostTable::kProcess, "7100", 0)->Text(F::kKernelWait), "");
}

TEST(Ps, LongStartTimesAndCutLines) {
  const HostRead read = ReadHost(
      "USER         PID %CPU %MEM    VSZ   RSS TTY      STAT                  STARTED     TIME "
      "COMMAND\n"
      "ml          7001 98.5  7.1 900000 80000 ?        Rl   Tue Nov  3 20:01:02 2026 10:00:11 "
      "python3 a b\n"
      "ml          7002 98.5  7.1 9000\n"
      "ml          70\n");
  const HostRow* row = read.Find(HostTable::kProcess, "7001", 0);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->Text(F::kCommand), "python3 a b");
  EXPECT_EQ(row->span, ReportSpan::kSinceStart);
  ASSERT_NE(read.Find(HostTable::kProcess, "7002", 0), nullptr);
  EXPECT_EQ(read.Find(HostTable::kProcess, "70", 0), nullptr);
}

TEST(Pidstat, ThreadsBelongToTheirProcess) {
  const HostRead read = ReadHost(HostSeed("pidstat"));
  EXPECT_TRUE(read.Named("pidstat"));
  const HostRow* process = read.Find(HostTable::kProcess, "7001", 0);
  ASSERT_NE(process, nullptr);
  EXPECT_DOUBLE_EQ(*process->Number(F::kRunWait), 0.41);
  EXPECT_FALSE(process->Number(F::kThread).has_value());
  std::size_t threads = 0;
  double read_rate = 0;
  for (const HostRow& row : read.pasted.host) {
    if (row.name == "7001" && row.Number(F::kThread)) ++threads;
    read_rate += row.Number(F::kReadRate).value_or(0);
  }
  EXPECT_EQ(threads, 2U);
  EXPECT_DOUBLE_EQ(read_rate, 512.0 * 1024);
}

TEST(Pidstat, WithoutAnIntervalItIsOfTheTimeSinceTheStart) {
  const std::string report =
      "# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
      "1790000000   1000      7001   96.00    3.00    0.00   41.00   99.00     3  python3\n";
  EXPECT_EQ(ReadHost(report).pasted.host.at(0).span, ReportSpan::kSinceStart);
  EXPECT_EQ(ReadHost("$ pidstat -h 5 1\n" + report).pasted.host.at(0).span, ReportSpan::kInterval);
}

}  // namespace
}  // namespace gpuwhy
