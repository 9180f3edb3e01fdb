#include "trace/step_figures.h"

#include <gtest/gtest.h>

#include "trace/analysis.h"
#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

constexpr std::int64_t kUs = 1000;

StepFigures FiguresOfSteps(TestTimeline t) {
  return Analyze(std::move(t.timeline), 0).report.step_figures;
}

std::int64_t Sum(const StepFigures& figures, StepFigure figure) {
  std::int64_t sum = 0;
  for (const StepRow& row : figures.rows) sum += row[static_cast<std::size_t>(figure)];
  return sum;
}

// One step of 1 ms with two kernels; `between` is what the host does from 110 us to 500 us.
TestTimeline TwoKernels() {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 1000 * kUs);
  t.Launch(0, 5 * kUs, 1).Kernel(10 * kUs, 100 * kUs, 1);
  t.Launch(500 * kUs, 505 * kUs, 2).Kernel(510 * kUs, 600 * kUs, 2);
  return t;
}

TEST(StepFigures, TheHostsWayToTheNextLaunchIsDispatch) {
  TestTimeline t = TwoKernels();
  t.Host(HostKind::kOp, "aten::add", 110 * kUs, 490 * kUs);
  const StepFigures figures = FiguresOfSteps(std::move(t));
  ASSERT_EQ(figures.rows.size(), 1U);
  EXPECT_EQ(Sum(figures, StepFigure::kDispatch), 410 * kUs) << "400 of the host, 10 of latency";
  EXPECT_EQ(Sum(figures, StepFigure::kDispatchSure), (410 - 90) * kUs / 2)
      << "halved: (410 + 90) / 2 of the host less 90 of the device";
  EXPECT_EQ(Sum(figures, StepFigure::kStall), 0);
  EXPECT_EQ(Sum(figures, StepFigure::kQueued), 0);
}

TEST(StepFigures, OneLongThingOfTheHostIsNoDispatch) {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 10'000 * kUs);
  t.Launch(0, 5 * kUs, 1).Kernel(10 * kUs, 100 * kUs, 1);
  t.Host(HostKind::kPython, "save()", 100 * kUs, 5000 * kUs);
  t.Launch(5000 * kUs, 5005 * kUs, 2).Kernel(5010 * kUs, 5100 * kUs, 2);
  const StepFigures figures = FiguresOfSteps(std::move(t));
  EXPECT_EQ(Sum(figures, StepFigure::kStall), 4900 * kUs);
  EXPECT_EQ(Sum(figures, StepFigure::kDispatch), 10 * kUs);
  EXPECT_EQ(figures.stall_event, "save()");
}

TEST(StepFigures, WorkThatWasLaunchedLongBeforeIsNotWaitedForAtTheHost) {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 1000 * kUs);
  t.Launch(0, 5 * kUs, 1).Kernel(10 * kUs, 100 * kUs, 1);
  t.Launch(20 * kUs, 25 * kUs, 2).Kernel(600 * kUs, 700 * kUs, 2);
  const StepFigures figures = FiguresOfSteps(std::move(t));
  EXPECT_EQ(Sum(figures, StepFigure::kDispatch), kLongestLatencyNs);
  EXPECT_EQ(Sum(figures, StepFigure::kQueued), 500 * kUs - kLongestLatencyNs);
}

TEST(StepFigures, ADeviceThatRunsDryInASynchronisationIsABubble) {
  TestTimeline t = TwoKernels();
  t.Host(HostKind::kRuntime, "cudaStreamSynchronize", 20 * kUs, 120 * kUs);
  t.Host(HostKind::kOp, "aten::add", 120 * kUs, 490 * kUs);
  const StepFigures figures = FiguresOfSteps(std::move(t));
  EXPECT_EQ(Sum(figures, StepFigure::kSyncBubble), 410 * kUs);
  EXPECT_EQ(Sum(figures, StepFigure::kDispatch), 0);
  EXPECT_EQ(figures.sync_call, "cudaStreamSynchronize");
}

TEST(StepFigures, ASynchronisationThatBeginsWhenTheDeviceIsIdleIsNoBubble) {
  TestTimeline t = TwoKernels();
  t.Host(HostKind::kOp, "aten::add", 90 * kUs, 300 * kUs);
  t.Host(HostKind::kRuntime, "cudaStreamSynchronize", 300 * kUs, 310 * kUs);
  EXPECT_EQ(Sum(FiguresOfSteps(std::move(t)), StepFigure::kSyncBubble), 0);
}

TEST(StepFigures, OnlyPageableCopiesThatNothingHidesCount) {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 1000 * kUs);
  t.Kernel(0, 100 * kUs);
  t.Device(Work::kH2D, 50 * kUs, 200 * kUs, -1, "copy", 0, 8);
  t.timeline.device.host_memory.back() = HostMemory::kPageable;
  t.Device(Work::kH2D, 300 * kUs, 400 * kUs, -1, "copy", 0, 8);
  t.timeline.device.host_memory.back() = HostMemory::kPinned;
  EXPECT_EQ(Sum(FiguresOfSteps(std::move(t)), StepFigure::kPageableH2D), 100 * kUs);
}

TEST(StepFigures, KernelsAreSortedByWhatTheirNamesProve) {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 1000 * kUs);
  t.Kernel(0, 10 * kUs, -1, "void cudnn::ops::nchwToNhwcKernel<float>");
  t.Kernel(20 * kUs, 40 * kUs, -1, "ampere_sgemm_128x64_nn");
  t.Kernel(50 * kUs, 80 * kUs, -1, "volta_hgemm_128x64_nn");
  t.Kernel(90 * kUs, 130 * kUs, -1, "volta_sgemm_128x64_nn");
  t.Kernel(140 * kUs, 190 * kUs, -1, "ampere_fp16_s16816gemm_fp16_128x128");
  t.Kernel(200 * kUs, 260 * kUs, -1, "void at::native::indexSelectLargeIndex<float>");
  const StepFigures figures = FiguresOfSteps(std::move(t));
  EXPECT_EQ(Sum(figures, StepFigure::kReformat), 10 * kUs) << "a gather is work";
  EXPECT_EQ(Sum(figures, StepFigure::kPlainFp32), 20 * kUs) << "Volta has no TF32";
  EXPECT_EQ(Sum(figures, StepFigure::kPlainHalf), 30 * kUs) << "s16816 is a tensor core";
}

TEST(StepFigures, CollectivesOfOneSizeWaitForWhatTheShortestDoesNot) {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 1000 * kUs);
  t.timeline.kernel_details.push_back({});
  t.timeline.kernel_details.back().in_elements = 1000;
  for (const std::int64_t length : {100, 10, 60}) {
    const std::int64_t at = t.timeline.device.end.empty() ? 0 : t.timeline.device.end.back() + kUs;
    t.Device(Work::kComm, at, at + length * kUs, -1, "ncclDevKernel_AllReduce");
    t.timeline.device.detail.back() = 1;
  }
  const StepFigures figures = FiguresOfSteps(std::move(t));
  EXPECT_EQ(Sum(figures, StepFigure::kPeerWait), (90 + 50) * kUs);
  EXPECT_EQ(figures.sized_collectives, 3U);
}

TEST(StepFigures, TheOptimizersWorkIsOnTheDeviceAndOnTheHost) {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 1000 * kUs);
  t.Host(HostKind::kAnnotation, "Optimizer.step#Adam.step", 0, 100 * kUs);
  t.Launch(50 * kUs, 55 * kUs, 1).Kernel(60 * kUs, 300 * kUs, 1);
  t.Launch(200 * kUs, 205 * kUs, 2).Kernel(300 * kUs, 400 * kUs, 2);
  EXPECT_EQ(Sum(FiguresOfSteps(std::move(t)), StepFigure::kOptimizer), 300 * kUs)
      << "60 idle, 240 of its kernel";
}

TEST(StepFigures, LaunchesThatLastAsLongAsTheirKernelAreCounted) {
  TestTimeline t;
  t.Step("ProfilerStep#1", 0, 1000 * kUs);
  t.Launch(0, 101 * kUs, 1).Kernel(10 * kUs, 100 * kUs, 1);
  t.Launch(200 * kUs, 205 * kUs, 2).Kernel(210 * kUs, 300 * kUs, 2);
  t.Launch(400 * kUs, 420 * kUs, 3).Kernel(405 * kUs, 410 * kUs, 3);  // too short to tell
  const StepFigures figures = FiguresOfSteps(std::move(t));
  EXPECT_EQ(figures.long_launches, 2U);
  EXPECT_EQ(figures.blocking_launches, 1U);
}

TEST(StepFigures, NothingIsSaidWithoutSteps) {
  TestTimeline t;
  t.Launch(0, 5 * kUs, 1).Kernel(10 * kUs, 100 * kUs, 1);
  EXPECT_TRUE(FiguresOfSteps(std::move(t)).rows.empty());
}

}  // namespace
}  // namespace gpuwhy::trace
