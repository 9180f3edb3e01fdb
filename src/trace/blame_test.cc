#include "trace/blame.h"

#include <gtest/gtest.h>

#include "trace/analysis.h"
#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

void AddFrame(Timeline& timeline, std::string_view name, std::int64_t start, std::int64_t end,
              std::uint32_t thread = 0) {
  timeline.frames.start.push_back(start);
  timeline.frames.end.push_back(end);
  timeline.frames.name.push_back(timeline.names.Intern(name));
  timeline.frames.thread.push_back(thread);
}

TEST(FrameAt, IsTheInnermostOfTheProgramsOwn) {
  Timeline timeline;
  AddFrame(timeline, "train.py(10): main", 0, 1000);
  AddFrame(timeline, "train.py(45): step", 100, 900);
  AddFrame(timeline, "torch/nn/modules/module.py(1501): _call_impl", 200, 800);
  AddFrame(timeline, "<built-in method mm>", 300, 400);
  AddFrame(timeline, "other.py(1): run", 0, 1000, 1);
  EXPECT_EQ(FrameAt(timeline, 0, 350), "train.py(45): step");
  EXPECT_EQ(FrameAt(timeline, 0, 950), "train.py(10): main");
  EXPECT_EQ(FrameAt(timeline, 1, 350), "other.py(1): run");
  EXPECT_EQ(FrameAt(timeline, 0, 1000), "");
  EXPECT_EQ(FrameAt(timeline, 2, 350), "");
}

TEST(FrameAt, WhereAllAreTheFrameworksItIsTheInnermost) {
  Timeline timeline;
  AddFrame(timeline, "torch/optim/adam.py(1): step", 0, 1000);
  AddFrame(timeline, "torch/utils.py(2): copy", 100, 200);
  EXPECT_EQ(FrameAt(timeline, 0, 150), "torch/utils.py(2): copy");
}

TEST(Analyze, BlamesTheFrameBehindAGap) {
  TestTimeline t;
  t.Launch(0, 1000, 1).Kernel(1000, 2000, 1);
  t.Host(HostKind::kOp, "aten::nonzero", 3000, 900'000);
  t.Launch(950'000, 951'000, 2).Kernel(951'000, 952'000, 2);
  AddFrame(t.timeline, "loss.py(7): mask", 2500, 940'000);
  const Analysis analysis = Analyze(std::move(t.timeline), 0);
  ASSERT_FALSE(analysis.report.gaps.empty());
  EXPECT_EQ(analysis.report.gaps[0].host, "aten::nonzero");
  EXPECT_EQ(analysis.report.gaps[0].frame, "loss.py(7): mask");
}

}  // namespace
}  // namespace gpuwhy::trace
