// NFS, memory, file systems, links and what the host is made of.
#include <gtest/gtest.h>

#include "parse/host/test_host_text.h"

namespace gpuwhy {
namespace {

using F = HostField;

TEST(Nfsiostat, ReportsOfAMount) {
  const HostRead read = ReadHost(HostSeed("nfsiostat"));
  EXPECT_TRUE(read.Named("nfsiostat"));
  std::vector<const HostRow*> reads;
  for (const HostRow& row : read.pasted.host) {
    if (row.Text(F::kOperation) == "read") reads.push_back(&row);
  }
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_EQ(reads[0]->span, ReportSpan::kSinceStart);
  EXPECT_EQ(reads[1]->span, ReportSpan::kInterval);
  EXPECT_EQ(reads[1]->name, "/data/train");
  EXPECT_EQ(reads[1]->Text(F::kSource), "filer03:/vol/train");
  EXPECT_DOUBLE_EQ(*reads[1]->Number(F::kExe), 0.08825);
  EXPECT_DOUBLE_EQ(*reads[1]->Number(F::kRetrans), 0.02);
  EXPECT_DOUBLE_EQ(*reads[1]->Number(F::kRate), 7200.0 * 1024);
}

TEST(Nfsiostat, OlderLayoutWithItsMountCutOff) {
  const HostRead read = ReadHost(
      "read:              ops/s            kB/s           kB/op         retrans    avg RTT (ms)"
      "    avg exe (ms)\n"
      "                   0.000           0.000           0.000        0 (0.0%)           0.000"
      "           0.000\n");
  ASSERT_EQ(read.pasted.host.size(), 1U);
  EXPECT_FALSE(read.pasted.host[0].Number(F::kRtt).has_value());
}

TEST(Mountstats, TwoLooksGiveRates) {
  const HostRead read = ReadHost(HostSeed("mountstats"));
  EXPECT_TRUE(read.Named("mountstats"));
  const HostRow* since = read.Find(HostTable::kNfs, "/data/train", 0);
  const HostRow* now = read.Find(HostTable::kNfs, "/data/train", 1);
  ASSERT_NE(since, nullptr);
  ASSERT_NE(now, nullptr);
  EXPECT_EQ(since->span, ReportSpan::kSinceStart);
  EXPECT_DOUBLE_EQ(*since->Number(F::kRtt), 0.002);
  EXPECT_EQ(now->span, ReportSpan::kInterval);
  EXPECT_DOUBLE_EQ(*now->Number(F::kOps), 50);
  EXPECT_DOUBLE_EQ(*now->Number(F::kRtt), 0.08);
  EXPECT_DOUBLE_EQ(*now->Number(F::kRetrans), 0.02);
}

TEST(Mountstats, CountersThatFellAreNoRates) {
  const std::string head = "device a:/x mounted on /d with fstype nfs statvers=1.1\n";
  const HostRead read = ReadHost(head + "age: 90\nREAD: 50 50 0 1 1 1 900 900\n" + head +
                                 "age: 95\nREAD: 5 5 0 1 1 1 9 9\n");
  EXPECT_EQ(read.Count(HostTable::kNfs, ReportSpan::kSinceStart), 2U);
}

TEST(Meminfo, WhatCouldStillBeHad) {
  const HostRead read = ReadHost(HostSeed("meminfo_df"));
  EXPECT_TRUE(read.Named("/proc/meminfo"));
  const HostRow* memory = read.Find(HostTable::kMemory, "", 0);
  ASSERT_NE(memory, nullptr);
  EXPECT_DOUBLE_EQ(*memory->Number(F::kMemAvailable), 2100112.0 * 1024);
  EXPECT_DOUBLE_EQ(*memory->Number(F::kSwapUsed), (8388604.0 - 4194300) * 1024);
  EXPECT_EQ(memory->line, 3U);
}

TEST(Df, WrappedRowsLettersAndCommas) {
  const HostRead read = ReadHost(HostSeed("meminfo_df"));
  EXPECT_TRUE(read.Named("df"));
  EXPECT_DOUBLE_EQ(*read.Find(HostTable::kFileSystem, "/dev/shm", 0)->Number(F::kUsedShare), 1);
  EXPECT_DOUBLE_EQ(*read.Find(HostTable::kFileSystem, "/dev/shm", 0)->Number(F::kSize),
                   64.0 * 1024 * 1024);
  EXPECT_DOUBLE_EQ(*read.Find(HostTable::kFileSystem, "/run", 0)->Number(F::kUsed),
                   1.2 * 1024 * 1024 * 1024);
  const HostRow* nfs = read.Find(HostTable::kFileSystem, "/data/train", 0);
  ASSERT_NE(nfs, nullptr);
  EXPECT_EQ(nfs->Text(F::kType), "nfs4");
  EXPECT_EQ(nfs->Text(F::kSource), "filer03.cluster.example.org:/vol/train");
}

TEST(Df, InodesAndBlocks) {
  const HostRead read = ReadHost(
      "Filesystem      Inodes   IUsed IFree IUse% Mounted on\n"
      "/dev/sda1      1000000 1000000     0  100% /\n"
      "Filesystem     1K-blocks      Used Available Use% Mounted on\n"
      "/dev/sda1      102400000  51200000  51200000  50% /\n");
  EXPECT_DOUBLE_EQ(*read.pasted.host.at(0).Number(F::kInodesUsedShare), 1);
  EXPECT_DOUBLE_EQ(*read.pasted.host.at(1).Number(F::kSize), 102400000.0 * 1024);
}

TEST(ProcStat, TwoCopiesGiveWhatHappenedBetween) {
  const HostRead read = ReadHost(HostSeed("proc_stat"));
  EXPECT_TRUE(read.Named("/proc/stat"));
  EXPECT_EQ(read.Find(HostTable::kCpu, "all", 0)->span, ReportSpan::kSinceStart);
  const HostRow* now = read.Find(HostTable::kCpu, "all", 1);
  ASSERT_NE(now, nullptr);
  EXPECT_EQ(now->span, ReportSpan::kInterval);
  EXPECT_DOUBLE_EQ(*now->Number(F::kUser), 0.2);
  EXPECT_DOUBLE_EQ(*now->Number(F::kSteal), 0.22);
}

TEST(Machine, LscpuAndNumactl) {
  const HostRead read = ReadHost(HostSeed("machine_links"));
  EXPECT_TRUE(read.Named("lscpu"));
  EXPECT_TRUE(read.Named("numactl"));
  const HostRow* machine = read.Find(HostTable::kMachine, "", 0);
  ASSERT_NE(machine, nullptr);
  EXPECT_DOUBLE_EQ(*machine->Number(F::kCpus), 64);
  EXPECT_EQ(machine->Text(F::kHypervisor), "KVM");
  std::size_t nodes = 0;
  for (const HostRow& row : read.pasted.host) {
    if (row.table == HostTable::kNumaNode && row.name == "1") ++nodes;
    if (row.tool == "numactl" && row.name == "0") {
      EXPECT_DOUBLE_EQ(*row.Number(F::kAvailable), 901.0 * 1024 * 1024);
      EXPECT_EQ(row.Text(F::kCpuList), "0 1 2 3");
    }
  }
  EXPECT_EQ(nodes, 2U);
}

TEST(Links, WhatBothEndsOffer) {
  const HostRead read = ReadHost(HostSeed("machine_links"));
  EXPECT_TRUE(read.Named("ethtool"));
  EXPECT_TRUE(read.Named("ibdev2netdev"));
  const HostRow* link = read.Find(HostTable::kLink, "eth2", 0);
  ASSERT_NE(link, nullptr);
  EXPECT_DOUBLE_EQ(*link->Number(F::kSpeed), 10e9);
  EXPECT_DOUBLE_EQ(*link->Number(F::kSpeedAble), 25e9);
  EXPECT_DOUBLE_EQ(*link->Number(F::kSpeedOfPeer), 25e9);
  const HostRow* ib = read.Find(HostTable::kLink, "ibs1", 0);
  ASSERT_NE(ib, nullptr);
  EXPECT_EQ(ib->Text(F::kDevice), "mlx5_0");
  EXPECT_DOUBLE_EQ(*ib->Number(F::kUp), 0);
}

/// Every seed, cut anywhere and with its tabs and runs of blanks squeezed, is read without harm.
TEST(HostTexts, CutAnywhereTheyGiveWhatTheyHold) {
  for (const char* name :
       {"mpstat", "iostat_mb", "iostat_old", "iostat_json", "vmstat", "nfsiostat", "mountstats",
        "top", "ps", "pidstat", "meminfo_df", "free", "proc_stat", "machine_links"}) {
    const std::string text = HostSeed(name);
    const std::size_t whole = ReadHost(text).pasted.host.size();
    ASSERT_GT(whole, 0U) << name;
    for (std::size_t end = 0; end < text.size(); end += 97) {
      EXPECT_LE(ReadHost(text.substr(0, end)).pasted.host.size(), whole) << name << " " << end;
    }
    std::string squeezed;
    for (const char c : text) {
      const char blank = c == '\t' ? ' ' : c;
      if (blank != ' ' || squeezed.empty() || squeezed.back() != ' ') squeezed.push_back(blank);
    }
    EXPECT_EQ(ReadHost(squeezed).pasted.host.size(), whole) << name;
  }
}

TEST(Free, EveryUnitAndLayout) {
  struct Case {
    const char* text;
    double total, available, swap;
  };
  constexpr double kGib = 1024.0 * 1024 * 1024;
  for (const Case& one : {
           Case{"               total        used        free      shared  buff/cache   available\n"
                "Mem:           125Gi       123Gi       450Mi       1.1Gi       1.6Gi       512Mi\n"
                "Swap:          8.0Gi       7.0Gi       1.0Gi\n",
                125 * kGib, 0.5 * kGib, 7 * kGib},
           Case{
               "              total        used        free      shared     buffers       cache   "
               "available\nMem:          62.5G       60.9G        310M        220M         12M     "
               "   1.6G        1.0G\nSwap:          2.0G        2.0G          0B\n",
               62.5 * kGib, kGib, 2 * kGib},
           Case{"             total       used       free     shared    buffers     cached\n"
                "Mem:        128000     126000       2000          0        500     118000\n"
                "-/+ buffers/cache:       7500     120500\nSwap:         8192          0       "
                "8192\n",
                128000.0 / 1024 * kGib, 120500.0 / 1024 * kGib, 0},
           Case{"              total        used        free      shared  buff/cache   available\n"
                "Mem:            503          88           6           4         408         408\n"
                "Swap:             0           0           0\n",
                503 * kGib, 408 * kGib, 0},
       }) {
    const HostRead read = ReadHost(one.text);
    EXPECT_TRUE(read.Named("free")) << one.text;
    const HostRow* memory = read.Find(HostTable::kMemory, "", 0);
    ASSERT_NE(memory, nullptr) << one.text;
    EXPECT_DOUBLE_EQ(*memory->Number(F::kMemTotal), one.total);
    EXPECT_DOUBLE_EQ(*memory->Number(F::kMemAvailable), one.available);
    EXPECT_DOUBLE_EQ(*memory->Number(F::kSwapUsed), one.swap);
  }
}

TEST(Mpstat, ARowLaterThanItsHeaderIsOfAnInterval) {
  const std::string header =
      "10:11:12     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %idle\n";
  const std::string row =
      "     all   26.00    0.00    0.50    0.00    0.00    0.00    0.00    0.00   73.50\n";
  EXPECT_EQ(ReadHost(header + "10:11:12" + row).Find(HostTable::kCpu, "all", 0)->span,
            ReportSpan::kSinceStart);
  EXPECT_EQ(ReadHost(header + "10:11:14" + row).Find(HostTable::kCpu, "all", 0)->span,
            ReportSpan::kInterval);
}

}  // namespace
}  // namespace gpuwhy
