// The small files that describe a host.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "parse/procfs/auxv.h"
#include "parse/procfs/cpu_list.h"
#include "parse/procfs/elf_machine.h"
#include "parse/procfs/uptime.h"
#include "parse/procfs/version.h"

namespace gpuwhy {
namespace {

TEST(Uptime, TakesBothNumbersOrNothing) {
  EXPECT_EQ(ParseUptime("12345.67 890.12\n")->up_s, 12345.67);
  EXPECT_EQ(ParseUptime("12345.67 890.12\n")->idle_s, 890.12);
  EXPECT_FALSE(ParseUptime("12345.67\n").ok());
  EXPECT_FALSE(ParseUptime("-1 2\n").ok());
  EXPECT_FALSE(ParseUptime("").ok());
}

TEST(KernelRelease, StandsBehindTheWordVersion) {
  EXPECT_EQ(*ParseKernelRelease("Linux version 6.1.0-18-amd64 (a@b) (gcc) #1 SMP\n"),
            "6.1.0-18-amd64");
  EXPECT_FALSE(ParseKernelRelease("Linux 6.1.0\n").ok());
  EXPECT_FALSE(ParseKernelRelease("").ok());
}

TEST(CpuList, ReadsRangesAndSingles) {
  const Result<std::vector<CpuRange>> ranges = ParseCpuList("0-3,8,10-11\n");
  ASSERT_TRUE(ranges.ok());
  EXPECT_EQ(*ranges, (std::vector<CpuRange>{{0, 3}, {8, 8}, {10, 11}}));
  EXPECT_EQ(CountCpus(*ranges), 7U);
  EXPECT_TRUE(ParseCpuList("\n")->empty());
}

TEST(CpuList, RefusesWhatTheKernelDoesNotWrite) {
  for (const char* text :
       {"3-1", "0-3,2", "a", "0-", "-1", "0-4294967295", "0,,1", "0 1", "1-2-3", ","}) {
    EXPECT_FALSE(ParseCpuList(text).ok()) << text;
  }
}

std::string Auxv(const std::vector<std::pair<std::uint64_t, std::uint64_t>>& entries) {
  std::string bytes(entries.size() * sizeof(entries[0]), '\0');
  std::memcpy(bytes.data(), entries.data(), bytes.size());
  return bytes;
}

TEST(Auxv, GivesPageSizeAndTickRate) {
  const AuxiliaryVector vector = ParseAuxv(Auxv({{33, 7}, {6, 65536}, {17, 100}, {0, 0}}));
  EXPECT_EQ(vector.page_size, Reading<std::uint32_t>(65536U));
  EXPECT_EQ(vector.ticks_per_second, Reading<std::uint32_t>(100U));
}

TEST(Auxv, EndsAtItsEndAndRefusesNonsense) {
  const AuxiliaryVector vector = ParseAuxv(Auxv({{6, 0}, {0, 0}, {17, 100}}) + "cut");
  EXPECT_EQ(vector.page_size.missing().why, Why::kFailed);
  EXPECT_EQ(vector.ticks_per_second.missing().why, Why::kNotPresent);
}

TEST(ElfMachine, KnowsByteOrderAndWidth) {
  std::string head(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  head.resize(18, '\0');
  EXPECT_EQ(ParseElfMachine(head + std::string("\x3e\x00", 2)), Reading<std::string>("x86_64"));
  EXPECT_EQ(ParseElfMachine(head + std::string("\xb7\x00", 2)), Reading<std::string>("aarch64"));
  EXPECT_EQ(ParseElfMachine(head + std::string("\x03\x00", 2)).missing().why, Why::kNotSupported);
  head[4] = 1;
  EXPECT_EQ(ParseElfMachine(head + std::string("\x3e\x00", 2)).missing().why, Why::kNotSupported)
      << "x32 numbers its system calls otherwise";
  head[4] = 2;
  head[5] = 2;
  EXPECT_EQ(ParseElfMachine(head + std::string("\x00\x16", 2)), Reading<std::string>("s390x"));
  EXPECT_EQ(ParseElfMachine(head + "\x3e").missing().why, Why::kFailed);
  EXPECT_EQ(ParseElfMachine("").missing().why, Why::kFailed);
}

}  // namespace
}  // namespace gpuwhy
