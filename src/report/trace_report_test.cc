#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/trace_json.h"
#include "report/trace_text.h"

namespace gpuwhy {
namespace {

trace::TraceReport Report() {
  trace::FileReport file;
  file.file = "a\nb.json";
  file.format = "kineto";
  file.events = 5;
  file.gpu_events = 2;
  file.whole.figures.span_ns = 100;
  file.whole.figures.busy_ns = 60;
  file.whole.parts[static_cast<std::size_t>(trace::Part::kCompute)] = 60;
  file.whole.parts[static_cast<std::size_t>(trace::Part::kInputWait)] = 40;
  file.devices.push_back(file.whole);
  file.gaps.push_back(
      {60, 40, trace::Part::kInputWait, "loader\x1b[31m", "gemm", "data.py(3): next"});
  file.kernels.rows.push_back(
      {"gemm\x1b",
       trace::KernelClass::kMatmul,
       2,
       60,
       1.0,
       {{"aten::mm", "[2,3] [3,4]\x1b", 1, 45}, {"aten::mm", "[9]", 1, 15}}});
  file.what_if.push_back({trace::Change::kNoInputWait, 100, 60, 0.4, true});
  file.problems.emplace_back("clocks disagree");
  trace::TraceReport report;
  report.files.push_back(std::move(file));
  return report;
}

TEST(TraceJson, HoldsWhatTheReportHolds) {
  const nlohmann::json json = nlohmann::json::parse(RenderTraceJson(Report(), Diagnosis{}));
  EXPECT_EQ(json["schema"], "gpuwhy.trace/1");
  const nlohmann::json& file = json["files"][0];
  EXPECT_EQ(file["file"], "a\nb.json");
  EXPECT_TRUE(file["rank"].is_null());
  EXPECT_EQ(file["whole"]["parts_ns"]["input_wait"], 40);
  EXPECT_EQ(file["gaps"][0]["cause"], "input_wait");
  EXPECT_EQ(file["gaps"][0]["frame"], "data.py(3): next");
  EXPECT_EQ(file["kernels"][0]["mean_ns"], 30);
  ASSERT_EQ(file["kernels"][0]["shapes"].size(), 2U);
  EXPECT_EQ(file["kernels"][0]["shapes"][1]["inputs"], "[9]");
  EXPECT_EQ(file["kernels"][0]["shapes"][0]["sum_ns"], 45);
  EXPECT_EQ(json["what_if"][0]["change"], "no-input-wait");
  EXPECT_TRUE(json["ranks"]["stragglers"].empty());
}

TEST(TraceText, NamesTheLargestPartsAndIsPrintable) {
  const std::string text = RenderTraceText(Report(), Diagnosis{}, {});
  EXPECT_NE(text.find("60 %"), std::string::npos);
  EXPECT_NE(text.find("waits for input"), std::string::npos);
  EXPECT_NE(text.find("clocks disagree"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_LT(text.find("device computes"), text.find("waits for input"));
}

TEST(TraceText, NamesTheCallsBehindAKernelThatMatters) {
  trace::TraceReport report = Report();
  const std::string text = RenderTraceText(report, Diagnosis{}, {});
  EXPECT_NE(text.find("75 % of it by aten::mm, inputs [2,3] [3,4]"), std::string::npos) << text;
  EXPECT_EQ(text.find("[9]"), std::string::npos) << "the costliest one, unless more is asked for";
  report.files[0].kernels.rows[0].share = 0.01;
  EXPECT_EQ(RenderTraceText(report, Diagnosis{}, {}).find("of it by"), std::string::npos);
}

TEST(TraceText, SaysWhereThereIsNoDeviceWork) {
  trace::TraceReport report = Report();
  report.files[0].gpu_events = 0;
  EXPECT_NE(RenderTraceText(report, Diagnosis{}, {}).find("no device work"), std::string::npos);
}

}  // namespace
}  // namespace gpuwhy
