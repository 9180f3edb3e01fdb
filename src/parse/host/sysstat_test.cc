// mpstat, iostat and vmstat: layouts of versions, what is of now and what is since boot, damage.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "parse/host/test_host_text.h"

namespace gpuwhy {

std::string HostSeed(const std::string& name) {
  std::ifstream file(std::string(GPUWHY_SOURCE_DIR) + "/fuzz/seeds/paste/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

namespace {

using F = HostField;

TEST(Mpstat, RowsOfEachCoreAndReport) {
  const HostRead read = ReadHost(HostSeed("mpstat"));
  EXPECT_TRUE(read.Named("mpstat"));
  const HostRow* all = read.Find(HostTable::kCpu, "all", 1);
  ASSERT_NE(all, nullptr);
  EXPECT_EQ(all->span, ReportSpan::kInterval);
  EXPECT_DOUBLE_EQ(*all->Number(F::kSteal), 0.141);
  EXPECT_EQ(all->line, 11U);
  const HostRow* core = read.Find(HostTable::kCpu, "0", 0);
  ASSERT_NE(core, nullptr);
  EXPECT_DOUBLE_EQ(*core->Number(F::kSoftirq), 0.942);
  EXPECT_EQ(read.Count(HostTable::kCpu, ReportSpan::kAverage), 2U);
}

TEST(Mpstat, AloneItSpeaksOfTheTimeSinceBoot) {
  const std::string report =
      "14:02:11     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal   %guest  %idle\n"
      "14:02:11     all   11,02    0,00    2,00    0,40    0,00    0,10   20,00    0,00   66,48\n";
  const HostRead alone = ReadHost(report);
  ASSERT_EQ(alone.pasted.host.size(), 1U);
  EXPECT_EQ(alone.pasted.host[0].span, ReportSpan::kSinceStart);
  EXPECT_DOUBLE_EQ(*alone.pasted.host[0].Number(F::kSteal), 0.2);
  const HostRead asked = ReadHost("op@n1:~$ mpstat -P ALL 5 1\n" + report);
  ASSERT_EQ(asked.pasted.host.size(), 1U);
  EXPECT_EQ(asked.pasted.host[0].span, ReportSpan::kInterval);
  const HostRead one_core = ReadHost("op@n1:~$ mpstat -P 0\n" + report);
  EXPECT_EQ(one_core.pasted.host[0].span, ReportSpan::kSinceStart);
}

TEST(Mpstat, QuotedColouredAndCut) {
  std::string text = HostSeed("mpstat");
  std::string quoted = "> ";
  for (const char c : text) {
    if (c == '\n') quoted += "\r";
    quoted += c;
    if (c == '\n') quoted += "> \x1b[1;34m\x1b[0m";
  }
  EXPECT_EQ(ReadHost(quoted).pasted.host.size(), ReadHost(text).pasted.host.size());
  const std::string cut = text.substr(0, text.find("31.80") + 3);
  EXPECT_EQ(ReadHost(cut).Count(HostTable::kCpu, ReportSpan::kInterval), 2U);
}

TEST(Mpstat, ARowOfAnotherWidthEndsTheTable) {
  const HostRead read = ReadHost(
      "10:00:00     CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
      "10:10:01     all     12.00      0.00      1.00      0.50      0.00     86.50\n"
      "10:10:01     all     12.00      0.00\n");
  ASSERT_EQ(read.pasted.host.size(), 1U);
  EXPECT_EQ(read.pasted.host[0].tool, "sar");
  EXPECT_EQ(read.pasted.host[0].span, ReportSpan::kInterval);
}

TEST(Iostat, EveryLayoutByItsHeader) {
  const HostRead wide = ReadHost(HostSeed("iostat_mb"));
  EXPECT_TRUE(wide.Named("iostat"));
  const HostRow* now = wide.Find(HostTable::kBlock, "sda", 1);
  ASSERT_NE(now, nullptr);
  EXPECT_EQ(now->span, ReportSpan::kInterval);
  EXPECT_DOUBLE_EQ(*now->Number(F::kReadAwait), 0.0625);
  EXPECT_DOUBLE_EQ(*now->Number(F::kReadRate), 9.0 * 1024 * 1024);
  EXPECT_DOUBLE_EQ(*now->Number(F::kBusy), 0.996);
  EXPECT_EQ(wide.Find(HostTable::kBlock, "sda", 0)->span, ReportSpan::kSinceStart);
  EXPECT_DOUBLE_EQ(*wide.Find(HostTable::kCpu, "all", 1)->Number(F::kIowait), 0.31);

  const HostRead old = ReadHost(HostSeed("iostat_old"));
  const HostRow* sdb = old.Find(HostTable::kBlock, "sdb", 1);
  ASSERT_NE(sdb, nullptr);
  EXPECT_DOUBLE_EQ(*sdb->Number(F::kReadRate), 2880.0 * 512);
  EXPECT_DOUBLE_EQ(*sdb->Number(F::kAwait), 0.044);
  EXPECT_FALSE(sdb->Number(F::kReadAwait).has_value());
}

TEST(Iostat, TheFirstReportCountsWhereItWasLeftOut) {
  const std::string report =
      "Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn\n"
      "sda              10.00       100.00         4.00         0.00        500         20\n";
  EXPECT_EQ(ReadHost("op@n:~$ iostat -d 5 1\n" + report).pasted.host.at(0).span,
            ReportSpan::kSinceStart);
  EXPECT_EQ(ReadHost("op@n:~$ iostat -dy 5 1\n" + report).pasted.host.at(0).span,
            ReportSpan::kInterval);
}

TEST(Iostat, ADeviceNameAtTheEndOfTheRow) {
  const HostRead read = ReadHost(
      "     r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz  aqu-sz  %util Device\n"
      "    1.00     12.0k     0.00   0.0%    0.75    12.0k    0.00   0.1% dm-0\n");
  const HostRow* row = read.Find(HostTable::kBlock, "dm-0", 0);
  ASSERT_NE(row, nullptr);
  EXPECT_DOUBLE_EQ(*row->Number(F::kReadAwait), 0.00075);
  EXPECT_FALSE(row->Number(F::kReadRate).has_value());
}

TEST(SysstatJson, ReadsWhatACutTextStillHolds) {
  const HostRead read = ReadHost(HostSeed("iostat_json"));
  EXPECT_TRUE(read.Named("sysstat JSON"));
  const HostRow* now = read.Find(HostTable::kBlock, "nvme0n1", 1);
  ASSERT_NE(now, nullptr);
  EXPECT_DOUBLE_EQ(*now->Number(F::kReadAwait), 0.0215);
  EXPECT_EQ(now->span, ReportSpan::kInterval);
  EXPECT_EQ(read.Find(HostTable::kBlock, "nvme0n1", 0)->span, ReportSpan::kSinceStart);
  EXPECT_DOUBLE_EQ(*read.Find(HostTable::kCpu, "all", 1)->Number(F::kIowait), 0.21);
}

TEST(SysstatJson, CoresOfMpstat) {
  const HostRead read = ReadHost(
      R"({"timestamp": "21:00:05", "cpu-load": [)"
      "\n"
      R"({"cpu": "all", "usr": 12.00, "sys": 2.00, "soft": 1.00, "steal": 9.00, "idle": 76.00},)"
      "\n"
      R"({"cpu": "3", "usr": 0.00, "sys": 0.50, "soft": 99.50, "steal": 0.00, "idle": 0.00}]})");
  const HostRow* core = read.Find(HostTable::kCpu, "3", 0);
  ASSERT_NE(core, nullptr);
  EXPECT_EQ(core->tool, "mpstat");
  EXPECT_DOUBLE_EQ(*core->Number(F::kSoftirq), 0.995);
}

TEST(Vmstat, TheFirstRowIsSinceBoot) {
  const HostRead read = ReadHost(HostSeed("vmstat"));
  EXPECT_TRUE(read.Named("vmstat"));
  EXPECT_EQ(read.Count(HostTable::kPaging, ReportSpan::kSinceStart), 1U);
  const HostRow* row = read.Find(HostTable::kPaging, "", 2);
  ASSERT_NE(row, nullptr);
  EXPECT_DOUBLE_EQ(*row->Number(F::kSwapIn), 8192.0 * 1024);
  EXPECT_DOUBLE_EQ(*row->Number(F::kRunnable), 1);
  EXPECT_DOUBLE_EQ(*read.Find(HostTable::kCpu, "all", 2)->Number(F::kIowait), 0.34);
}

TEST(Vmstat, UnitsStampsAndALineThatLostItsEnd) {
  const HostRead read = ReadHost(
      "op@n:~$ vmstat -t -S M 2 2\n"
      "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- "
      "-----timestamp-----\n"
      " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st"
      "                 UTC\n"
      " 1  0     64    300     20    901    0    0   210   100  900 2100 11  2 84  3  0 "
      "2026-11-03 21:00:01\n"
      " 2  0     64    300     20    901    3    0   210   100  900\n");
  const HostRow* row = read.Find(HostTable::kPaging, "", 1);
  ASSERT_NE(row, nullptr);
  EXPECT_DOUBLE_EQ(*row->Number(F::kSwapIn), 3.0 * 1024 * 1024);
  EXPECT_DOUBLE_EQ(*row->Number(F::kRunnable), 2);
  EXPECT_FALSE(read.Find(HostTable::kCpu, "all", 1)->Number(F::kIdle).has_value());
}

}  // namespace
}  // namespace gpuwhy
