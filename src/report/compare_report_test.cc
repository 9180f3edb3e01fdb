#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/compare_json.h"
#include "report/compare_text.h"

namespace gpuwhy {
namespace {

using trace::Moved;

trace::TraceComparison Comparison() {
  trace::TraceComparison c;
  c.before = {"a\nb.json", "A100", 5, "marker"};
  c.after = {"c.json", "", 6, "marker"};
  c.step_ns = {100'000'000, 60'000'000, -40'000'000, -42'000'000, -38'000'000, Moved::kDown};
  c.parts.push_back({trace::Part::kInputWait, c.step_ns});
  c.parts.push_back({trace::Part::kMemset, {10, 11, 1, 0, 0, Moved::kCannotTell}});
  c.kernels.push_back({"gone\x1b[31m",
                       trace::KernelClass::kMatmul,
                       trace::Presence::kGone,
                       {5'000'000, 0, -5'000'000, -5'000'000, -5'000'000, Moved::kDown},
                       3,
                       0});
  c.kernels.push_back({"gemm",
                       trace::KernelClass::kMatmul,
                       trace::Presence::kBoth,
                       {5'000'000, 6'000'000, 1'000'000, -1, 2'000'000, Moved::kWithinNoise},
                       3,
                       3});
  c.steps.push_back({"ProfilerStep#1", "", 100, 0});
  c.problems.emplace_back("other devices");
  return c;
}

TEST(CompareText, TheFirstTwoLinesAnswer) {
  const std::string text = RenderCompareText(Comparison(), {});
  EXPECT_EQ(text.rfind("The step is 40 % shorter.\n", 0), 0U) << text;
  EXPECT_NE(text.find("100 ms -> 60 ms"), std::string::npos) << text;
  EXPECT_NE(text.find("-42 ms to -38 ms"), std::string::npos) << text;
}

TEST(CompareText, SaysWhatIsGoneAndWhatIsNoise) {
  const std::string text = RenderCompareText(Comparison(), {});
  EXPECT_NE(text.find("Only before"), std::string::npos);
  EXPECT_EQ(text.find("Only after"), std::string::npos);
  EXPECT_NE(text.find("within noise"), std::string::npos);
  EXPECT_NE(text.find("waits for input"), std::string::npos);
  EXPECT_EQ(text.find("memset"), std::string::npos) << "a nanosecond is not worth a line";
  EXPECT_NE(text.find("other devices"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST(CompareText, SaysWhereItCannotTell) {
  trace::TraceComparison c = Comparison();
  c.step_ns.moved = Moved::kCannotTell;
  EXPECT_EQ(RenderCompareText(c, {}).rfind("Can't tell", 0), 0U);
  TextOptions quiet;
  quiet.answer_only = true;
  const std::string answer = RenderCompareText(c, quiet);
  EXPECT_EQ(RenderCompareText(c, {}).substr(0, answer.size()), answer);
  EXPECT_EQ(answer.find("before:"), std::string::npos);
}

TEST(CompareJson, HoldsWhatTheComparisonHolds) {
  const nlohmann::json json = nlohmann::json::parse(RenderCompareJson(Comparison(), "1.0"));
  EXPECT_EQ(json["schema"], "gpuwhy.trace-compare/1");
  EXPECT_EQ(json["step"]["by_ns"], -40'000'000);
  EXPECT_EQ(json["parts"]["input_wait"]["moved"], "down");
  EXPECT_TRUE(json["parts"]["memset"]["low_ns"].is_null());
  EXPECT_EQ(json["kernels"][0]["presence"], "gone");
  EXPECT_TRUE(json["after"]["device"].is_null());
  EXPECT_TRUE(json["steps"][0]["after"].is_null());
}

}  // namespace
}  // namespace gpuwhy
