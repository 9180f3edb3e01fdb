#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "derive/pasted.h"

namespace gpuwhy {
namespace {

GpuLook Row(std::uint32_t line, double load) {
  GpuLook look;
  look.file = "dmon.txt";
  look.reader = "nvidia-smi-dmon";
  look.index = 3;
  look.line = line;
  look.values = {{GpuField::kUtilization, PastedValue(load), line}};
  return look;
}

Capture Rows(const std::vector<double>& loads) {
  Capture capture;
  for (const double load : loads)
    capture.pasted.gpus.push_back(
        Row(static_cast<std::uint32_t>(capture.pasted.gpus.size() + 3), load));
  capture.pasted.any = true;
  return capture;
}

TEST(PastedGpus, TheRowsOfOneOutputHaveAMean) {
  FactSet facts;
  DerivePastedGpus(Rows({0, 90, 0, 30}), facts);
  const Fact* mean = facts.Find(FactId::kGpuSeriesLoad, {SubjectKind::kGpu, "3"});
  ASSERT_NE(mean, nullptr);
  EXPECT_DOUBLE_EQ(mean->Number(), 30);
  EXPECT_EQ(mean->stat.n, 4U);
}

TEST(PastedGpus, TwoLooksAreNoSeries) {
  FactSet facts;
  DerivePastedGpus(Rows({0, 90}), facts);
  EXPECT_EQ(facts.Find(FactId::kGpuSeriesLoad, {SubjectKind::kGpu, "3"}), nullptr);
}

TEST(PastedGpus, OutputsThatHoldNothingToJudgeSaySo) {
  Capture capture;
  capture.pasted.any = true;
  FactSet facts;
  DerivePasted(capture, facts);
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_NE(facts.blinds.front().what.find("judge"), std::string::npos);
}

}  // namespace
}  // namespace gpuwhy
