#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "parse/logs/bandwidth_tables.h"
#include "parse/logs/host_texts.h"
#include "parse/logs/log_text.h"
#include "parse/logs/needle_search.h"
#include "parse/logs/out_of_memory.h"
#include "parse/logs/profile_tables.h"
#include "parse/logs/statement_table.h"
#include "parse/logs/statements.h"

namespace gpuwhy {
namespace {

const StatementSeen* Find(const std::vector<StatementSeen>& seen, Statement statement) {
  const auto found = std::find_if(seen.begin(), seen.end(), [&](const StatementSeen& one) {
    return one.statement == statement;
  });
  return found == seen.end() ? nullptr : &*found;
}

TEST(NeedleSearch, FindsWordsOfDifferentLengthsWhereverTheyStand) {
  const NeedleSearch search({"needle", "haystack of hay"});
  const std::vector<NeedleSearch::Hit> hits = search.FindAll("needleneedle haystack of hay");
  ASSERT_EQ(hits.size(), 3U);
  EXPECT_EQ(hits[0].at, 0U);
  EXPECT_EQ(hits[1].at, 6U);
  EXPECT_EQ(hits[2].at, 13U);
  EXPECT_EQ(hits[2].needle, 1U);
}

TEST(NeedleSearch, ATextShorterThanTheWordsHoldsNone) {
  EXPECT_TRUE(NeedleSearch({"needle"}).FindAll("need").empty());
  EXPECT_TRUE(NeedleSearch({"needle"}).FindAll("").empty());
}

TEST(Statements, EveryWordIsLongEnoughForTheSearch) {
  for (const StatementPattern& pattern : StatementPatterns()) {
    EXPECT_GE(pattern.needle.size(), NeedleSearch::kShortest) << pattern.needle;
  }
}

TEST(Statements, GiveTheLineAndItsNumber) {
  const std::vector<StatementSeen> seen = FindStatements(
      "one\ntwo\nn1:7:8 [0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 2 'mlx5_7'\n");
  const StatementSeen* gdr = Find(seen, Statement::kGdrDisabled);
  ASSERT_NE(gdr, nullptr);
  EXPECT_EQ(gdr->quotes.front().line, 3U);
  EXPECT_NE(gdr->quotes.front().text.find("mlx5_7"), std::string::npos);
}

TEST(Statements, XidsAreSortedByWhatTheyAskFor) {
  const std::vector<StatementSeen> seen = FindStatements(
      "[ 1.0] NVRM: Xid (PCI:0000:41:00): 79, pid=1, GPU has fallen\n"
      "[ 1.1] NVRM: Xid (PCI:0000:41:00): 45, pid=1, Ch 00000008\n"
      "[ 1.2] NVRM: Xid (0000:41:00): 31, Ch 00000008, engmask 00000101\n");
  EXPECT_NE(Find(seen, Statement::kXidBus), nullptr);
  EXPECT_NE(Find(seen, Statement::kXidVictim), nullptr);
  EXPECT_NE(Find(seen, Statement::kXidApplication), nullptr);
  EXPECT_EQ(Find(seen, Statement::kXidCause), nullptr);
}

TEST(Statements, NoXidIsPushedOutByOthersOfItsKind) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "NVRM: Xid (PCI:0000:41:00): 45, pid=1, Ch 00000008\n";
  text += "NVRM: Xid (PCI:0000:41:00): 92, High single-bit ECC error rate\n";
  for (int i = 0; i < 40; ++i) text += "NVRM: Xid (PCI:0000:41:00): 43, pid=1, Ch 00000008\n";
  const std::vector<StatementSeen> seen = FindStatements(text);
  const StatementSeen* victims = Find(seen, Statement::kXidVictim);
  ASSERT_NE(victims, nullptr);
  for (const std::string number : {": 45,", ": 92,", ": 43,"}) {
    EXPECT_TRUE(std::any_of(
        victims->quotes.begin(), victims->quotes.end(),
        [&](const QuotedLine& quote) { return quote.text.find(number) != std::string::npos; }))
        << number;
  }
  EXPECT_LT(victims->quotes.size(), 10U);
}

TEST(Statements, ALongLineEndsAfterAWordAndHasBlanksForTabs) {
  std::string line = "\tNCCL WARN Connection refused\tby";
  while (line.size() < 600) line += " somebody";
  const std::vector<StatementSeen> seen = FindStatements(line + "\n");
  const StatementSeen* peer = Find(seen, Statement::kPeerUnreachable);
  ASSERT_NE(peer, nullptr);
  const std::string& text = peer->quotes.front().text;
  EXPECT_EQ(text.find('\t'), std::string::npos);
  EXPECT_TRUE(text.ends_with("somebody ...")) << text;
}

TEST(Statements, ManyLinesKeepFewQuotes) {
  std::string text;
  for (int i = 0; i < 500; ++i)
    text += "Gradient overflow. reducing loss scale to " + std::to_string(i) + "\n";
  const std::vector<StatementSeen> seen = FindStatements(text);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].count, 500U);
  EXPECT_LE(seen[0].quotes.size(), 5U);
  EXPECT_EQ(seen[0].quotes.back().line, 500U);
}

TEST(RefusedAllocations, ReadOldAndNewWording) {
  const std::vector<RefusedAllocation> found = FindRefusedAllocations(
      "CUDA out of memory. Tried to allocate 512.00 MiB (GPU 1; 10.00 GiB total capacity; 7.00 GiB "
      "already allocated; 300.00 MiB free; 9.00 GiB\nreserved in total by PyTorch)\n"
      "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
      "capacity of 40.00 GiB of which 1.00 GiB is free. Including non-PyTorch memory, this process "
      "has 38.00 GiB memory in use. Of the allocated memory 36.00 GiB is allocated by PyTorch, and "
      "500.00 MiB is reserved by PyTorch but unallocated.\n");
  constexpr double kMiB = 1024.0 * 1024;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].request, 512 * kMiB);
  EXPECT_EQ(found[0].free, 300 * kMiB);
  EXPECT_EQ(found[0].reserved, 9 * 1024 * kMiB);
  EXPECT_EQ(found[1].total, 40 * 1024 * kMiB);
  EXPECT_EQ(found[1].in_process, 38 * 1024 * kMiB);
  EXPECT_EQ(found[1].unallocated, 500 * kMiB);
  EXPECT_EQ(found[1].quote.line, 3U);
}

TEST(RefusedAllocations, KeepWhatEachListedProcessHolds) {
  const std::vector<RefusedAllocation> found = FindRefusedAllocations(
      "OutOfMemoryError: CUDA out of memory. Tried to allocate 1.00 GiB. GPU 0 has a total "
      "capacity of 40.00 GiB of which 512.00 MiB is free. Process 17 has 9.00 GiB memory in use. "
      "Process 4711 has 30.00 GiB memory in use. Of the allocated memory 28.00 GiB is allocated by "
      "PyTorch, and 256.00 MiB is reserved by PyTorch but unallocated.\n");
  ASSERT_EQ(found.size(), 1U);
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  EXPECT_EQ(found[0].listed, (std::vector<double>{9 * kGiB, 30 * kGiB}));
}

TEST(RefusedAllocations, KnowLinesWithoutFigures) {
  EXPECT_EQ(FindRefusedAllocations("RuntimeError: CUDA error: CUBLAS_STATUS_ALLOC_FAILED when "
                                   "calling `cublasCreate(handle)`\n")
                .size(),
            1U);
}

TEST(ProfilerTables, ReadTheColumnsByTheirNames) {
  const std::vector<ProfilerTable> tables = FindProfilerTables(
      "                Name    Self CPU %      Self CPU   CPU total %     CPU total    # of Calls\n"
      "  enumerate(DataLoader)#__next__        61.00%        6.100s        62.50%        6.250s    "
      "        10\n"
      "Self CPU time total: 10.000s\nSelf CUDA time total: 900.000ms\n");
  ASSERT_EQ(tables.size(), 1U);
  ASSERT_EQ(tables[0].rows.size(), 1U);
  EXPECT_DOUBLE_EQ(tables[0].rows[0].cpu_share.value_or(0), 0.625);
  EXPECT_DOUBLE_EQ(tables[0].device_total_s.value_or(0), 0.9);
}

TEST(BandwidthTables, ReadRowsOfCollectivesAndMatrices) {
  const std::vector<BandwidthTable> tables = FindBandwidthTables(
      "     1048576        262144     float     sum      -1    180.0    5.80   10.10      0    "
      "181.0    5.79   10.05      0\n"
      "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1\n     0 800.00  "
      "11.00\n     1  12.00 801.00\n");
  ASSERT_EQ(tables.size(), 2U);
  ASSERT_EQ(tables[0].values.size(), 1U);
  EXPECT_DOUBLE_EQ(tables[0].values[0], 10.10);
  EXPECT_EQ(tables[0].wrong, 0U);
  EXPECT_EQ(tables[1].values, (std::vector<double>{11.0, 12.0}));
}

TEST(BandwidthTables, ReadWhatNvbandwidthAndPerftestMeasured) {
  const std::vector<BandwidthTable> tables = FindBandwidthTables(
      "Running host_to_device_memcpy_ce.\nmemcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
      "           0         1\n 0     25.12      6.21\n\nSUM host_to_device_memcpy_ce 31.33\n"
      " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
      " 65536      5000             197.12             196.00             0.375\n");
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].tool, "nvbandwidth");
  EXPECT_EQ(tables[0].what, "H2D");
  EXPECT_EQ(tables[0].values, (std::vector<double>{25.12, 6.21}));
  EXPECT_EQ(tables[1].tool, "perftest");
  EXPECT_EQ(tables[1].values, (std::vector<double>{24.5})) << "gigabits to gigabytes";
}

TEST(HostTexts, PressureIsAShareOfTime) {
  const std::vector<PressureText> pressures = ParsePressureTexts(
      "some avg10=20.00 avg60=10.00 avg300=5.00 total=1\nfull avg10=8.00 avg60=4.00 avg300=2.00 "
      "total=1\n",
      "pressure-memory");
  ASSERT_EQ(pressures.size(), 1U);
  EXPECT_EQ(pressures[0].resource, "memory");
  EXPECT_DOUBLE_EQ(pressures[0].some10, 0.2);
  EXPECT_DOUBLE_EQ(pressures[0].full10.value_or(0), 0.08);
}

TEST(HostTexts, PressureOfSeveralFilesKeepsWhoseItIs) {
  const std::vector<PressureText> pressures = ParsePressureTexts(
      "/proc/pressure/cpu:some avg10=71.00 avg60=66.00 avg300=60.00 total=8\n"
      "/proc/pressure/io:some avg10=0.41 avg60=0.22 avg300=0.10 total=9\n"
      "/proc/pressure/io:full avg10=0.40 avg60=0.22 avg300=0.10 total=9\n",
      "-");
  ASSERT_EQ(pressures.size(), 2U);
  EXPECT_EQ(pressures[0].resource, "cpu");
  EXPECT_FALSE(pressures[0].full10.has_value());
  EXPECT_EQ(pressures[1].resource, "io");
  EXPECT_DOUBLE_EQ(pressures[1].full10.value_or(0), 0.004);
}

TEST(HostTexts, ADeviceListIsOnlyWhatHoldsNothingElse) {
  EXPECT_EQ(ParseDeviceList("c 195:0 rw\nprose\n"), std::nullopt);
  const std::optional<DeviceListText> lost = ParseDeviceList("c 1:3 rwm\nc 195:* m\n");
  ASSERT_TRUE(lost.has_value());
  EXPECT_TRUE(lost->lists_gpus);
  EXPECT_FALSE(lost->may_use_gpus);
}

TEST(HostTexts, PortsKeepStateAndRate) {
  const std::vector<IbPort> ports = FindIbPorts(
      "CA 'mlx5_3'\n\tCA type: MT4123\n\tPort 1:\n\t\tState: Down\n\t\tPhysical state: "
      "Polling\n\t\tRate: 40\n");
  ASSERT_EQ(ports.size(), 1U);
  EXPECT_EQ(ports[0].physical, "Polling");
  EXPECT_DOUBLE_EQ(ports[0].rate, 40);
}

TEST(LogText, ATextWithoutAnythingKnownIsEmpty) {
  const LogText log = ReadLogText("Dear all,\nthe weather is fine.\n", "mail");
  EXPECT_TRUE(log.statements.empty());
  EXPECT_FALSE(log.training.has_value());
  EXPECT_TRUE(log.summary_tool.empty());
}

TEST(BandwidthTables, WrongValuesInPlaceCountToo) {
  const std::vector<BandwidthTable> tables = FindBandwidthTables(
      "#       size         count    type   redop    root     time   algbw   busbw #wrong     time "
      "  "
      "algbw   busbw #wrong\n"
      "  1048576  262144  float  sum  -1  91.2  11.5  20.1  0  90.8  11.5  20.2  4\n"
      "  2097152  524288  float  sum  -1  171.0  12.3  21.5  2  170.1  12.3  21.6  N/A\n");
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].wrong, 6U);
}

TEST(RefusedAllocations, WordsOfNewerXla) {
  const std::vector<RefusedAllocation> found = FindRefusedAllocations(
      "jaxlib.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory allocating 8589934592 bytes.\n");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].request, 8589934592.0);
}

}  // namespace
}  // namespace gpuwhy
