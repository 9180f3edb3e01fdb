#include "parse/procfs/diskstats.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

constexpr std::string_view kEleven = "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n";

void ExpectSda(const BlockLine& line) {
  BlockSample expected;
  expected.device = {8, 0};
  expected.reads = 1;
  expected.read_sectors = 3;
  expected.read_ms = 4;
  expected.writes = 5;
  expected.write_sectors = 7;
  expected.write_ms = 8;
  expected.in_flight = 9;
  expected.busy_ms = 10;
  expected.weighted_ms = 11;
  EXPECT_EQ(line.name, "sda");
  EXPECT_EQ(line.counters, expected);
}

TEST(Diskstats, ReadsTheLinesOfAllKernels) {
  for (const std::string_view text :
       {kEleven, std::string_view("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n"),
        std::string_view("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17"),
        std::string_view("8 0 sda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 later")}) {
    const Result<Diskstats> stats = ParseDiskstats(text);
    ASSERT_TRUE(stats.ok()) << text;
    ASSERT_EQ(stats->devices.size(), 1U) << text;
    ExpectSda(stats->devices[0]);
  }
}

TEST(Diskstats, PassesOverOldPartitionsAndSaysWhatIsDamaged) {
  const std::string text = "8 1 sda1 1 2 3 4\n" + std::string(kEleven) + "8 x sdb 1\nrubbish\n";
  const Result<Diskstats> stats = ParseDiskstats(text);
  ASSERT_TRUE(stats.ok());
  EXPECT_EQ(stats->devices.size(), 1U);
  EXPECT_EQ(stats->skipped, (SkippedLines{2, 3}));
}

TEST(Diskstats, MayBeEmptyButNotOtherText) {
  EXPECT_TRUE(ParseDiskstats("")->devices.empty()) << "a machine without block devices";
  EXPECT_EQ(ParseDiskstats("\nno such file\n").error().where, "/proc/diskstats:2");
  EXPECT_FALSE(ParseDiskstats("8 0 sda 1 2 3 4 5 6 7 8 9 10 -11\n").ok());
}

}  // namespace
}  // namespace gpuwhy
