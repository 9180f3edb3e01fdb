// Long texts are read in pieces: what is read must not depend on where they are cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse/logs/needle_search.h"
#include "parse/paste/paste_reader.h"

namespace gpuwhy {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

constexpr std::size_t kSmallPiece = 4096;

struct Read {
  Pasted pasted;
  PasteReport report;
};

/// In parts of an odd number of bytes.
Read InPieces(std::string_view text) {
  Read read;
  PasteReader reader("f", read.pasted, kSmallPiece);
  constexpr std::size_t kPart = 777;
  for (std::size_t at = 0; at < text.size(); at += kPart) reader.Add(text.substr(at, kPart));
  read.report = reader.Finish();
  return read;
}

Read Whole(std::string_view text) {
  Read read;
  read.report = ReadPaste("f", text, read.pasted);
  return read;
}

std::string Log(int lines) {
  std::string text;
  for (int i = 0; i < lines; ++i) {
    text += "Epoch: [0][" + std::to_string(i) + "/5005]  Time 0." + std::to_string(400 + i % 70) +
            "  Data 0.0" + std::to_string(10 + i % 30) + "  Loss 6." + std::to_string(9 - i % 9) +
            "\n";
    if (i % 50 == 7) text += "[rank0] NCCL INFO NET/IB : GPU Direct RDMA Disabled for HCA 0\n";
  }
  return text;
}

TEST(PasteInPieces, ALogReadsAsItDoesWhole) {
  const std::string text = Log(900);
  ASSERT_GT(text.size(), 8 * kSmallPiece);
  const Read pieces = InPieces(text);
  const Read whole = Whole(text);
  EXPECT_THAT(pieces.report.formats, ElementsAre("log"));
  ASSERT_EQ(pieces.pasted.logs.texts.size(), 1U);
  ASSERT_EQ(whole.pasted.logs.texts.size(), 1U);
  EXPECT_EQ(pieces.pasted.logs.texts[0].training, whole.pasted.logs.texts[0].training);
  EXPECT_EQ(pieces.pasted.logs.texts[0].statements, whole.pasted.logs.texts[0].statements);
  EXPECT_EQ(pieces.pasted.logs.texts[0].statements.front().count, 18U);
  EXPECT_GT(pieces.pasted.logs.texts[0].statements.front().quotes.back().line, 800U);
}

TEST(PasteInPieces, RowsBehindACutAreReadByTheHeaderBeforeIt) {
  std::string text = "timestamp, index, utilization.gpu [%], power.draw [W]\n";
  for (int i = 0; i < 400; ++i) {
    text += "2026/02/03 10:11:12.345, " + std::to_string(i % 8) + ", " + std::to_string(i % 100) +
            " %, 100.00 W\n";
  }
  const Read pieces = InPieces(text);
  EXPECT_THAT(pieces.report.formats, ElementsAre("nvidia-smi csv"));
  ASSERT_EQ(pieces.pasted.gpus.size(), 400U);
  for (std::size_t i = 0; i < 400; ++i) {
    EXPECT_EQ(pieces.pasted.gpus[i].index, static_cast<int>(i % 8));
    EXPECT_EQ(pieces.pasted.gpus[i].line, i + 2) << "in the file, not in the piece";
  }
}

TEST(PasteInPieces, AnOutputThatACutWouldSplitIsReadOnce) {
  std::string text(kSmallPiece - 300, '.');
  for (std::size_t i = 60; i < text.size(); i += 61) text[i] = '\n';
  text +=
      "\n==============NVSMI LOG==============\nAttached GPUs                         : 1\n"
      "GPU 00000000:3B:00.0\n    Product Name                      : Example\n"
      "    Performance State                 : P0\n    Utilization\n"
      "        GPU                           : 97 %\n        Memory                        : 41 %\n"
      "    Temperature\n        GPU Current Temp              : 61 C\n";
  ASSERT_GT(text.size(), kSmallPiece);
  const Read pieces = InPieces(text);
  EXPECT_THAT(pieces.report.formats, Contains("nvidia-smi -q"));
  ASSERT_EQ(pieces.pasted.gpus.size(), 1U);
  EXPECT_EQ(pieces.pasted.gpus[0].bus_id, "00000000:3B:00.0");
  EXPECT_EQ(pieces.pasted.gpus, Whole(text).pasted.gpus);
  EXPECT_TRUE(pieces.report.problems.empty());
}

TEST(PasteInPieces, ALineLongerThanAPieceEnds) {
  const std::string text = std::string(20 * kSmallPiece, 'x') + "\niter 5 loss 2.25\n";
  const Read pieces = InPieces(text);
  ASSERT_EQ(pieces.pasted.logs.texts.size(), 1U);
  ASSERT_TRUE(pieces.pasted.logs.texts[0].training);
  EXPECT_EQ(pieces.pasted.logs.texts[0].training->loss.last, 2.25);
}

TEST(PasteInPieces, PairsOfBytesMayBeCutInTheMiddle) {
  const std::string text = Log(200);
  std::string wide = "\xff\xfe";
  for (const char c : text) {
    wide.push_back(c);
    wide.push_back('\0');
  }
  EXPECT_EQ(InPieces(wide).pasted.logs, InPieces(text).pasted.logs);
}

TEST(NeedleSearch, FindsWordsWhereverTheyStand) {
  const NeedleSearch search({"needle", "needles", "haystack"});
  for (std::size_t before = 0; before < 40; ++before) {
    const std::string text = std::string(before, '.') + "needles" + std::string(before, '.');
    const std::vector<NeedleSearch::Hit> hits = search.FindAll(text);
    ASSERT_EQ(hits.size(), 2U) << before;
    EXPECT_EQ(hits[0].at, before);
    EXPECT_EQ(hits[0].needle, 0U);
    EXPECT_EQ(hits[1].needle, 1U);
  }
  EXPECT_TRUE(search.FindAll("needl").empty());
  EXPECT_TRUE(search.FindAll("").empty());
}

}  // namespace
}  // namespace gpuwhy
