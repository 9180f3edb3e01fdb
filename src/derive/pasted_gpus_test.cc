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

GpuProcess Sample(std::int32_t pid, double sm, std::string type = "C") {
  GpuProcess process;
  process.place = {"pmon.txt", 3};
  process.reader = "nvidia-smi-pmon";
  process.gpu = 1;
  process.pid = pid;
  process.type = std::move(type);
  process.sm = sm;
  return process;
}

TEST(PastedGpus, SamplesOfSeveralProcessesTellWhatTheOthersTake) {
  Capture capture;
  capture.pasted.any = true;
  const Subject gpu{SubjectKind::kGpu, "1"};
  capture.pasted.processes = {Sample(7, 50), Sample(7, 60), Sample(9, 8, "G")};
  FactSet alone;
  DerivePastedGpus(capture, alone);
  EXPECT_EQ(alone.Find(FactId::kGpuOthersLoad, gpu), nullptr) << "a desktop is no second one";
  capture.pasted.processes.push_back(Sample(8, 40));
  FactSet facts;
  DerivePastedGpus(capture, facts);
  const Fact* others = facts.Find(FactId::kGpuOthersLoad, gpu);
  ASSERT_NE(others, nullptr);
  EXPECT_DOUBLE_EQ(others->Number(), 40);
}

}  // namespace
}  // namespace gpuwhy
