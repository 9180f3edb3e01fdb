#include "report/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

using ::testing::ElementsAre;

TEST(Columns, CountsCodePointsAndNotBytes) {
  EXPECT_EQ(Columns("año"), 3U);
  EXPECT_EQ(Columns("é中°"), 3U);
  EXPECT_EQ(Columns(""), 0U);
}

TEST(Pad, FillsToColumnsAndNeverCuts) {
  EXPECT_EQ(PadRight("é", 3), "é  ");
  EXPECT_EQ(PadLeft("é", 3), "  é");
  EXPECT_EQ(PadLeft("longer", 3), "longer");
  EXPECT_EQ(PadRight("longer", 3), "longer");
}

TEST(Wrap, FillsLinesUpToTheWidthInCodePoints) {
  EXPECT_THAT(Wrap("ééé ééé é", 7), ElementsAre("ééé ééé", "é"));
  EXPECT_THAT(Wrap("aaa bbb", 6), ElementsAre("aaa", "bbb"));
}

TEST(Wrap, LeavesALongWordWhole) {
  EXPECT_THAT(Wrap("see /a/very/long/path now", 8), ElementsAre("see", "/a/very/long/path", "now"));
}

TEST(Wrap, KeepsNewlines) { EXPECT_THAT(Wrap("a\nb c", 80), ElementsAre("a", "b c")); }

TEST(Wrap, GivesOneEmptyLineForNothing) { EXPECT_THAT(Wrap("", 80), ElementsAre("")); }

TEST(PrintableLines, KeepsNewlinesAndNothingElse) {
  EXPECT_EQ(PrintableLines("a\nb\x1b[2J\tc"), "a\nb\\x1b[2J\\x09c");
}

}  // namespace
}  // namespace gpuwhy
