// What a damaged summary gives: an error that names the file and the place, or what is sound.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "trace/cross_rank.h"
#include "trace/summary_file.h"
#include "trace/test_summary.h"

namespace gpuwhy::trace {
namespace {

constexpr std::int64_t kHuge = std::int64_t{1} << 61U;

std::string Text() { return WriteSummary({SampleRank(1)}, "1.0"); }

TEST(SummaryDamage, ACutAtAnyByteIsRefusedWithItsPlace) {
  const std::string text = Text();
  for (std::size_t size = 0; size + 2 < text.size(); ++size) {
    const Result<std::vector<Analysis>> read = ReadSummary(text.substr(0, size), "f");
    ASSERT_FALSE(read.ok()) << size;
    if (size == 0) continue;
    EXPECT_EQ(read.error().where, "f@" + std::to_string(size + 1)) << "the byte that is not there";
  }
}

TEST(SummaryDamage, WhateverByteIsFlippedWhatIsReadIsSound) {
  const std::string text = Text();
  std::size_t taken = 0;
  for (std::size_t i = 0; i < text.size(); i += 3) {
    for (const int flip : {0x01, 0x80}) {
      std::string bytes = text;
      bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) ^ flip);
      const Result<std::vector<Analysis>> read = ReadSummary(bytes, "f");
      if (!read) {
        EXPECT_EQ(read.error().where.front(), 'f');
        continue;
      }
      ++taken;
      const RankSummary& rank = read->front().summary;
      static_cast<void>(CompareRanks({rank, rank}));
      EXPECT_TRUE(ReadSummary(WriteSummary(*read, "1.0"), "again").ok()) << i;
    }
  }
  EXPECT_GT(taken, 0U) << "a digit changed within its range is no damage that can be seen";
}

TEST(SummaryDamage, NamesTheValueThatCannotBe) {
  const auto error = [](const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json json = nlohmann::json::parse(WriteSummary({SampleRank(), SampleRank()}, "1"));
    change(json["ranks"][1]);
    const Result<std::vector<Analysis>> read = ReadSummary(json.dump(), "f");
    return read ? std::string("read") : read.error().Text();
  };
  using Json = nlohmann::json;
  EXPECT_NE(error([](Json& rank) { rank["report"]["events"] = -1; }).find("ranks[1].report.events"),
            std::string::npos);
  EXPECT_NE(error([](Json& rank) { rank["summary"]["parts"][0] = -1; }).find("summary.parts"),
            std::string::npos);
  EXPECT_NE(error([](Json& rank) { rank["collectives"]["start"] = "x"; }).find("collectives.start"),
            std::string::npos);
  EXPECT_NE(error([](Json& rank) { rank = 7; }).find("ranks[1]"), std::string::npos);
}

TEST(SummaryDamage, NumbersWhoseSumsOverflowAreRefused) {
  using Json = nlohmann::json;
  const auto refused = [](const std::function<void(Json&)>& change) {
    Json json = Json::parse(Text());
    change(json["ranks"][0]);
    return !ReadSummary(json.dump(), "f").ok();
  };
  EXPECT_TRUE(refused([](Json& rank) {
    for (Json& part : rank["report"]["whole"]["parts"]) part = kHuge;
  }));
  EXPECT_TRUE(refused([](Json& rank) {
    for (Json& part : rank["report"]["devices"][0]["parts"]) part = kHuge;
  }));
  EXPECT_TRUE(refused([](Json& rank) {
    for (Json& part : rank["summary"]["parts"]) part = kHuge;
  }));
  EXPECT_TRUE(refused([](Json& rank) {
    for (Json& figure : rank["report"]["step_figures"]["rows"][0]) figure = kHuge;
  }));
  EXPECT_TRUE(refused([](Json& rank) {
    rank["report"]["steps"]["steps"][0]["anatomy"]["parts"][0] = kHuge;
  })) << "more than the step is long";
}

TEST(SummaryDamage, NestingCountsAndNumbersWithoutEndAreRefused) {
  const std::string deep(1'000'000, '[');
  const std::string head = R"({"$schema":"gpuwhy.trace-summary/1","ranks":)";
  const std::string shut(deep.size(), ']');
  for (const std::string& ranks :
       {deep, deep + shut, std::string("[]"), std::string("7"), std::string("null"),
        std::string("[1e999]"), std::string("[99999999999999999999]"),
        std::string(R"([{"report":{"steps":{"typical":18446744073709551615}},"summary":{}}])"),
        std::string(R"([{"report":{"kernels":{"rows":[{"count":-1}]}},"summary":{}}])")}) {
    const Result<std::vector<Analysis>> read = ReadSummary(head + ranks + "}", "f");
    ASSERT_FALSE(read.ok()) << ranks.substr(0, 60);
    EXPECT_EQ(read.error().where.front(), 'f');
  }
}

}  // namespace
}  // namespace gpuwhy::trace
