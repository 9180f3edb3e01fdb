#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/text.h"
#include "parse/logs/needle_search.h"
#include "parse/logs/statement_table.h"
#include "parse/paste/paste_reader.h"
#include "parse/paste/quantity.h"
#include "parse/paste/signs.h"

namespace gpuwhy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

std::string Seed(const std::string& name) {
  std::ifstream file(std::string(GPUWHY_SOURCE_DIR) + "/fuzz/seeds/paste/" + name);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Read {
  Pasted pasted;
  PasteReport report;
};

Read ReadText(const std::string& text) {
  Read read;
  read.report = ReadPaste("f", text, read.pasted);
  return read;
}

const GpuValue* Find(const GpuLook& look, GpuField field) {
  for (const GpuValue& value : look.values) {
    if (value.field == field) return &value;
  }
  return nullptr;
}

double Number(const GpuLook& look, GpuField field) {
  const GpuValue* value = Find(look, field);
  return value != nullptr && value->value ? std::get<double>(*value->value) : -1;
}

TEST(SectionOf, CleansWhatPastingDoes) {
  const Section section("f", "> \x1b[1ma\x1b[0m &lt;b&gt;\r\n> c\tc\r\n");
  ASSERT_EQ(section.size(), 2U);
  EXPECT_EQ(section[0], "a <b>");
  EXPECT_EQ(section[1], "c\tc");
}

TEST(SectionOf, AProgressBarKeepsItsLineNumber) {
  const Section section("f", "x\n10%\r20%\r30%\ny\n");
  ASSERT_EQ(section.size(), 5U);
  EXPECT_EQ(section.Number(3), 2U);
  EXPECT_EQ(section.Number(4), 3U);
}

TEST(CommandOfPrompt, KnowsShellsAndNoProse) {
  EXPECT_EQ(CommandOfPrompt("user@node:~$ nvidia-smi"), "nvidia-smi");
  EXPECT_EQ(CommandOfPrompt("[root@node ~]# lsmod"), "lsmod");
  EXPECT_EQ(CommandOfPrompt("$ lspci -vv"), "lspci -vv");
  EXPECT_EQ(CommandOfPrompt("it costs 5 $ a day"), "");
}

TEST(MeasureOf, TellsMissingFromUnreadable) {
  EXPECT_EQ(Measure("[N/A]", Dimension::kWatts).missing().why, Why::kNotSupported);
  EXPECT_EQ(Measure("ERR!", Dimension::kShare).missing().why, Why::kFailed);
  EXPECT_EQ(std::get<double>(*Measure("66W", Dimension::kWatts)), 66);
  EXPECT_EQ(std::get<double>(*Measure("8x", Dimension::kCount)), 8);
  EXPECT_EQ(std::get<bool>(*Measure("Not Active", Dimension::kFlag)), false);
}

TEST(CanonicalBusIdOf, OneFormForAllTools) {
  EXPECT_EQ(CanonicalBusId("00000000:3B:00.0"), "0000:3b:00.0");
  EXPECT_EQ(CanonicalBusId("3b:00.0"), "0000:3b:00.0");
  EXPECT_EQ(BusIdIn("at 0008:00:00.0 now"), "0008:00:00.0");
  EXPECT_EQ(BusIdIn("version 1.2.3"), "");
}

TEST(SmiTable, ReadsDevicesAndProcesses) {
  const Read read = ReadText(Seed("smi_table"));
  EXPECT_THAT(read.report.formats, ElementsAre("nvidia-smi"));
  ASSERT_EQ(read.pasted.gpus.size(), 2U);
  const GpuLook& gpu = read.pasted.gpus[0];
  EXPECT_EQ(Number(gpu, GpuField::kPower), 271);
  EXPECT_EQ(Number(gpu, GpuField::kUtilization), 99);
  EXPECT_EQ(Number(gpu, GpuField::kMemoryUsed), 30211);
  EXPECT_EQ(Find(gpu, GpuField::kPower)->line, 11U);
  EXPECT_FALSE(Find(gpu, GpuField::kFan)->value.has());
  EXPECT_NE(Find(gpu, GpuField::kUnreadable), nullptr);
  ASSERT_EQ(read.pasted.processes.size(), 2U);
  EXPECT_EQ(read.pasted.processes[1].pid, 8122);
}

TEST(SmiQuery, TellsKeysApartByTheirSection) {
  const Read read = ReadText(Seed("smi_query"));
  ASSERT_EQ(read.pasted.gpus.size(), 1U);
  const GpuLook& gpu = read.pasted.gpus[0];
  EXPECT_EQ(Number(gpu, GpuField::kLinkGenMax), 4);
  EXPECT_EQ(Number(gpu, GpuField::kLinkWidthMax), 16);
  EXPECT_EQ(Number(gpu, GpuField::kLinkWidth), 8);
  EXPECT_EQ(read.report.problems.size(), 1U) << "it announces two GPUs and holds one";
}

TEST(SmiQuery, AFragmentThatRepeatsIsAnotherLook) {
  const Read read = ReadText(
      "    BAR1 Memory Usage\n        Total : 512 MiB\n        Used : 12 MiB\n"
      "    BAR1 Memory Usage\n        Total : 512 MiB\n        Used : 500 MiB\n");
  ASSERT_EQ(read.pasted.gpus.size(), 2U);
  EXPECT_EQ(Number(read.pasted.gpus[1], GpuField::kBar1Used), 500);
}

TEST(SmiCsv, ReadsWithAndWithoutHeader) {
  const Read read = ReadText(Seed("smi_csv"));
  ASSERT_GE(read.pasted.gpus.size(), 4U);
  EXPECT_EQ(Number(read.pasted.gpus[0], GpuField::kSmClock), 1305);
  EXPECT_NE(Find(read.pasted.gpus[1], GpuField::kUnreadable), nullptr);
  EXPECT_EQ(Number(read.pasted.gpus[3], GpuField::kSmClock), 405);
  EXPECT_EQ(Number(read.pasted.gpus[3], GpuField::kUtilization), 97);
}

TEST(SmiMonitor, ReadsDevicesAndProcessesByTheirHeader) {
  const Read read = ReadText(Seed("dmon"));
  ASSERT_EQ(read.pasted.gpus.size(), 1U);
  EXPECT_EQ(Number(read.pasted.gpus[0], GpuField::kEncoder), 97);
  ASSERT_EQ(read.pasted.processes.size(), 1U);
  EXPECT_EQ(*read.pasted.processes[0].encoder, 97);
}

TEST(Nvlink, CountsLinksUpAndDown) {
  const Read read = ReadText(Seed("nvlink"));
  ASSERT_EQ(read.pasted.nvlinks.size(), 2U);
  EXPECT_EQ(read.pasted.nvlinks[0].inactive, 1U);
  EXPECT_EQ(read.pasted.nvlinks[1].active, 2U);
}

TEST(Lspci, ReadsLinksAndAccessControl) {
  const Read read = ReadText(Seed("lspci"));
  ASSERT_EQ(read.pasted.pci.size(), 2U);
  EXPECT_TRUE(*read.pasted.pci[0].acs_redirect);
  EXPECT_EQ(read.pasted.pci[0].bus_last, 0x66);
  EXPECT_TRUE(read.pasted.pci[1].gpu);
  EXPECT_EQ(*read.pasted.pci[1].width_now, 4);
}

TEST(ReadPasteOf, SplitsAFileThatHoldsSeveralOutputs) {
  const Read read = ReadText(Seed("modules_topo"));
  EXPECT_THAT(read.report.formats, Contains("lsmod"));
  EXPECT_THAT(read.report.formats, Contains("nvidia-smi topo -m"));
  EXPECT_THAT(read.report.formats, Contains("nvidia-smi message"));
  ASSERT_EQ(read.pasted.topos.size(), 1U);
  EXPECT_EQ(read.pasted.topos[0].rows.size(), 2U);
}

TEST(ReadPasteOf, TheNameOfABoardAloneMakesNoLog) {
  const Read named = ReadText("We have a GeForce RTX 3090 and it is slow.\n");
  EXPECT_TRUE(named.report.formats.empty());
  ASSERT_EQ(named.pasted.logs.texts.size(), 1U) << "it may tell which messages matter";
  const Read message = ReadText("GeForce RTX 3090\nDriver/library version mismatch\n");
  EXPECT_THAT(message.report.formats, Contains("log"));
}

TEST(ReadPasteOf, ProseIsNoOutput) {
  const Read read = ReadText("Dear diary,\nthe GPU was slow today: 100 % and hot.\n");
  EXPECT_TRUE(read.report.formats.empty());
}

TEST(SmiXml, HasTheFiguresOfQuery) {
  const Read read = ReadText(Seed("smi_xml"));
  EXPECT_THAT(read.report.formats, ElementsAre("nvidia-smi -q -x"));
  EXPECT_TRUE(read.report.problems.empty());
  ASSERT_EQ(read.pasted.gpus.size(), 2U);
  const GpuLook& first = read.pasted.gpus[0];
  EXPECT_EQ(first.bus_id, "00000000:3B:00.0");
  EXPECT_EQ(Number(first, GpuField::kUtilization), 98);
  EXPECT_EQ(Number(first, GpuField::kSmClock), 420);
  EXPECT_EQ(Number(first, GpuField::kEccAggregateUncorrected), 2);
  EXPECT_NE(Find(first, GpuField::kReasonPowerBrake), nullptr);
  ASSERT_EQ(read.pasted.processes.size(), 1U);
  EXPECT_EQ(read.pasted.processes[0].name, "python train.py &co");
  EXPECT_NE(Find(read.pasted.gpus[1], GpuField::kUnreadable), nullptr);
}

TEST(SmiXml, AnEndThatIsCutOffKeepsWhatWasRead) {
  const std::string whole = Seed("smi_xml");
  const Read read = ReadText(whole.substr(0, whole.find("<ecc_errors>")));
  ASSERT_EQ(read.pasted.gpus.size(), 1U);
  EXPECT_EQ(Number(read.pasted.gpus[0], GpuField::kUtilization), 98);
}

TEST(SmiMonitor, ReadsCsvToo) {
  const Read read = ReadText(Seed("dmon_csv"));
  ASSERT_EQ(read.pasted.gpus.size(), 2U);
  EXPECT_EQ(Number(read.pasted.gpus[1], GpuField::kDecoder), 98);
}

TEST(SmiTable, UpToDriver340TheListHasNoTypes) {
  const Read read = ReadText(
      "| NVIDIA-SMI 340.65     Driver Version: 340.65         |\n"
      "|   0  Tesla K40c          Off  | 0000:02:00.0     Off |                    0 |\n"
      "| 43%   71C    P0   138W / 235W |   9811MiB / 11519MiB |     97%      Default |\n"
      "| Compute processes:                                               GPU Memory |\n"
      "|  GPU       PID  Process name                                     Usage      |\n"
      "|    0     23451  ./caffe                                             9790MiB |\n");
  ASSERT_EQ(read.pasted.processes.size(), 1U);
  EXPECT_EQ(read.pasted.processes[0].name, "./caffe");
  EXPECT_EQ(read.pasted.processes[0].type, "C");
}

TEST(SmiCsv, ARowWithoutItsHeaderGivesWhatItsUnitsTellApart) {
  const Read read = ReadText(
      "0, NVIDIA GeForce RTX 3090, 99 %, 23111 MiB, 24576 MiB, 344.12 W, 350.00 W, 71\n"
      "1, NVIDIA GeForce RTX 3090, 3 %, 23001 MiB, 24576 MiB, 112.40 W, 350.00 W, 44\n");
  ASSERT_EQ(read.pasted.gpus.size(), 2U);
  EXPECT_EQ(read.pasted.gpus[1].index, 1);
  EXPECT_DOUBLE_EQ(Number(read.pasted.gpus[0], GpuField::kUtilization), 99);
  EXPECT_EQ(Find(read.pasted.gpus[0], GpuField::kMemoryUsed), nullptr) << "of two which?";
  EXPECT_EQ(read.report.problems.size(), 1U);
}

TEST(KnownTexts, AHealthyOutputIsNamed) {
  const auto named = [](const char* text) { return ReadText(text).report.formats; };
  EXPECT_THAT(named("* nvidia-fabricmanager.service - NVIDIA fabric manager service\n"),
              ElementsAre("systemctl status"));
  EXPECT_THAT(named("NVIDIA Release 23.10 (build 71422337)\n"), ElementsAre("container banner"));
  EXPECT_THAT(named("nvidia/535.129.03, 5.15.0-91-generic, x86_64: installed\n"),
              ElementsAre("dkms status"));
  EXPECT_THAT(named("Thread 81231 (active): \"MainThread\"\n    conv2d (x.py:8)\n"),
              ElementsAre("stacks"));
  EXPECT_THAT(named("the thread (idle) of a mail\n"), ElementsAre());
}

TEST(Signs, NoWordIsTooShortToJumpOver) {
  for (const MarkedWord& one : SignWords())
    EXPECT_GE(one.word.size(), NeedleSearch::kShortest) << one.word;
  for (const StatementPattern& one : StatementPatterns())
    EXPECT_GE(one.needle.size(), NeedleSearch::kShortest) << one.needle;
}

}  // namespace
}  // namespace gpuwhy
