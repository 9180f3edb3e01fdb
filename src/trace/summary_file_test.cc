#include "trace/summary_file.h"

#include <gtest/gtest.h>

#include <functional>

#include <nlohmann/json.hpp>

#include "trace/test_summary.h"

namespace gpuwhy::trace {
namespace {

nlohmann::json Written() { return nlohmann::json::parse(WriteSummary({SampleRank()}, "1.0")); }

TEST(SummaryFile, WhatIsReadIsWhatWasWritten) {
  const std::string text = WriteSummary({SampleRank(), SampleRank()}, "1.0");
  const Result<std::vector<Analysis>> read = ReadSummary(text, "f");
  ASSERT_TRUE(read.ok()) << read.error().Text();
  ASSERT_EQ(read->size(), 2U);
  EXPECT_EQ(WriteSummary(*read, "1.0"), text);
  const Analysis original = SampleRank();
  const Analysis& back = read->front();
  EXPECT_EQ(back.summary.rank, -1) << "whoever joins them gives it";
  EXPECT_EQ(back.report.world_size, 8);
  ASSERT_EQ(back.report.steps.steps.size(), 5U);
  EXPECT_EQ(back.report.steps.steps[2].anatomy.parts, original.report.steps.steps[2].anatomy.parts);
  EXPECT_EQ(back.report.step_figures.rows, original.report.step_figures.rows);
  ASSERT_EQ(back.summary.collectives.size(), 5U);
  EXPECT_EQ(back.summary.collectives[4].end, original.summary.collectives[4].end);
  EXPECT_EQ(back.report.kernels.tiny_share, original.report.kernels.tiny_share);
  ASSERT_FALSE(back.report.what_if.empty());
  EXPECT_EQ(back.report.what_if[0].gain, original.report.what_if[0].gain);
}

TEST(SummaryFile, RefusesWhatIsNone) {
  for (const char* text : {"", "{}", "[1]", "{\"$schema\":\"gpuwhy.trace-summary/2\",\"ranks\":[]}",
                           "{\"$schema\":\"gpuwhy.trace-summary/1\"}", "\x1f\x8b"}) {
    EXPECT_FALSE(ReadSummary(text, "f").ok()) << text;
  }
}

void ExpectRefused(const std::function<void(nlohmann::json&)>& change) {
  nlohmann::json json = Written();
  change(json["ranks"][0]);
  const Result<std::vector<Analysis>> read = ReadSummary(json.dump(), "f");
  ASSERT_FALSE(read.ok()) << json["ranks"][0].dump().substr(0, 200);
  EXPECT_EQ(read.error().where, "f");
}

TEST(SummaryFile, RefusesNumbersThatContradictEachOther) {
  using Json = nlohmann::json;
  ExpectRefused([](Json& rank) { rank["report"]["steps"]["typical"] = 5; });
  ExpectRefused([](Json& rank) { rank["report"]["step_figures"]["rows"].erase(0); });
  ExpectRefused([](Json& rank) { rank["report"]["steps"]["steps"][0]["use"] = 4; });
  ExpectRefused([](Json& rank) { rank["report"]["steps"]["steps"][0]["use"] = -1; });
  ExpectRefused([](Json& rank) { rank["report"]["kernels"]["rows"][0]["count"] = 0; });
  ExpectRefused([](Json& rank) { rank["report"]["events"] = -1; });
  ExpectRefused([](Json& rank) { rank["report"]["file"] = 7; });
  ExpectRefused([](Json& rank) { rank["collectives"]["kind"][0] = 99; });
  ExpectRefused([](Json& rank) { rank["collectives"]["length"].erase(0); });
  ExpectRefused([](Json& rank) { rank["collectives"]["start"][0] = 1e300; });
  ExpectRefused([](Json& rank) { rank.erase("report"); });
}

TEST(SummaryFile, KeysThatItDoesNotKnowAreIgnoredAndMissingOnesAreDefaults) {
  nlohmann::json json = Written();
  json["ranks"][0]["report"]["later"] = 1;
  json["ranks"][0]["summary"].erase("pipeline");
  EXPECT_TRUE(ReadSummary(json.dump(), "f").ok());
}

}  // namespace
}  // namespace gpuwhy::trace
