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
  file.kernels.rows.push_back({"gemm\x1b", trace::KernelClass::kMatmul, 2, 60, 1.0});
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

TEST(TraceText, SaysWhereThereIsNoDeviceWork) {
  trace::TraceReport report = Report();
  report.files[0].gpu_events = 0;
  EXPECT_NE(RenderTraceText(report, Diagnosis{}, {}).find("no device work"), std::string::npos);
}

}  // namespace
}  // namespace gpuwhy
