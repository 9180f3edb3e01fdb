#include "trace/anatomy.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>
#include <string>

#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

using Named = std::map<std::string, std::int64_t>;

Named NonZero(const Parts& parts) {
  Named named;
  for (std::size_t i = 0; i < kParts; ++i) {
    if (parts[i] != 0) named[std::string(PartName(static_cast<Part>(i)))] = parts[i];
  }
  return named;
}

Named Split(const Timeline& timeline, Span window, std::vector<Gap>* gaps = nullptr,
            const std::int64_t* device = nullptr) {
  const Parts parts = Anatomist(timeline).Split(SetsOf(timeline, device), window, device, gaps);
  EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), std::int64_t{0}), window.Length());
  return NonZero(parts);
}

TEST(Anatomy, DeviceTimeGoesToTheFirstOfThePriorities) {
  TestTimeline t;
  t.Device(Work::kMemset, 0, 100)
      .Device(Work::kD2D, 0, 90)
      .Device(Work::kD2H, 0, 80)
      .Device(Work::kH2D, 0, 60)
      .Device(Work::kComm, 0, 40)
      .Kernel(0, 10);
  EXPECT_EQ(
      Split(t.timeline, {0, 100}),
      (Named{
          {"compute", 10}, {"comm", 30}, {"h2d", 20}, {"d2h", 20}, {"d2d", 10}, {"memset", 10}}));
}

TEST(Anatomy, PeerAndUnknownCopiesCountAsDeviceToDevice) {
  TestTimeline t;
  t.Device(Work::kP2P, 0, 10).Device(Work::kMemcpyOther, 10, 30);
  EXPECT_EQ(Split(t.timeline, {0, 30}), (Named{{"d2d", 30}}));
}

// A gap [10, 100) before kernel 2, whose launch starts at 80; the host does `name` in [10, 70).
Named GapWith(HostKind kind, const char* name) {
  TestTimeline t;
  t.Launch(0, 5, 1).Kernel(0, 10, 1).Host(kind, name, 10, 70).Launch(80, 90, 2).Kernel(100, 110, 2);
  return Split(t.timeline, {10, 100});
}

TEST(Anatomy, IdleIsExplainedByWhatTheHostDid) {
  EXPECT_EQ(GapWith(HostKind::kOp, "aten::add"), (Named{{"host", 70}, {"launch", 20}}));
  EXPECT_EQ(GapWith(HostKind::kAnnotation, "enumerate(DataLoader)#_Iter.__next__"),
            (Named{{"input_wait", 60}, {"host", 10}, {"launch", 20}}));
  EXPECT_EQ(GapWith(HostKind::kRuntime, "cudaDeviceSynchronize"),
            (Named{{"sync", 60}, {"host", 10}, {"launch", 20}}));
  EXPECT_EQ(GapWith(HostKind::kRuntime, "cudaMalloc"),
            (Named{{"alloc", 60}, {"host", 10}, {"launch", 20}}));
  EXPECT_EQ(GapWith(HostKind::kDriver, "cuModuleLoadData"),
            (Named{{"compile", 60}, {"host", 10}, {"launch", 20}}));
  EXPECT_EQ(GapWith(HostKind::kAnnotation, "save checkpoint"),
            (Named{{"other_phase", 60}, {"host", 10}, {"launch", 20}}));
  EXPECT_EQ(GapWith(HostKind::kRuntime, "cudaLaunchKernel"), (Named{{"launch", 80}, {"host", 10}}));
}

TEST(Anatomy, TheInnermostEventOwnsAnInstantAndWaitsPassOnTheirClass) {
  TestTimeline t;
  t.Host(HostKind::kOp, "aten::item", 10, 70)
      .Host(HostKind::kRuntime, "cudaStreamSynchronize", 20, 60)
      .Host(HostKind::kAnnotation, "enumerate(DataLoader)#x.__next__", 70, 80)
      .Host(HostKind::kOp, "aten::stack", 72, 78)
      .Launch(80, 90, 2)
      .Kernel(100, 110, 2);
  EXPECT_EQ(Split(t.timeline, {10, 100}),
            (Named{{"host", 20}, {"sync", 40}, {"input_wait", 10}, {"launch", 20}}));
}

TEST(Anatomy, WithoutHostEventsIdleIsUnexplained) {
  TestTimeline t;
  t.Kernel(0, 10).Kernel(30, 40);
  EXPECT_EQ(Split(t.timeline, {0, 50}), (Named{{"compute", 20}, {"unexplained", 30}}));
}

// A gap of 3 ms in which nothing was recorded but `frame_end` ns of a Python function, if any.
Timeline Silence(std::int64_t frame_end) {
  constexpr std::int64_t kMs = 1'000'000;
  TestTimeline t;
  t.Launch(0, 5, 1).Kernel(10, kMs, 1).Launch(4 * kMs, 4 * kMs + 5, 2);
  t.Kernel(4 * kMs, 5 * kMs, 2);
  if (frame_end > 0) {
    Frames& frames = t.timeline.frames;
    frames.start.push_back(0);
    frames.end.push_back(frame_end);
    frames.name.push_back(t.timeline.names.Intern("train.py(7): log"));
    frames.thread.push_back(0);
  }
  return t.timeline;
}

TEST(Anatomy, OverAMillisecondWithoutAnyRecordIsNotTheHostsOwnWork) {
  constexpr std::int64_t kMs = 1'000'000;
  std::vector<Gap> gaps;
  EXPECT_EQ(Split(Silence(0), {kMs, 4 * kMs}, &gaps), (Named{{"unexplained", 3 * kMs}}));
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].cause, Part::kUnexplained);
  EXPECT_EQ(gaps[0].stall_ns, 0);
  EXPECT_EQ(gaps[0].dispatch_ns, 0);
}

TEST(Anatomy, AStackTellsThatTheHostWasAtWorkThere) {
  constexpr std::int64_t kMs = 1'000'000;
  std::vector<Gap> gaps;
  EXPECT_EQ(Split(Silence(4 * kMs), {kMs, 4 * kMs}, &gaps), (Named{{"host", 3 * kMs}}));
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].stall_ns, 3 * kMs);
  EXPECT_EQ(gaps[0].frame_thread, 0U);
  // One that ends before the middle of the silence does not.
  EXPECT_EQ(Split(Silence(2 * kMs), {kMs, 4 * kMs}), (Named{{"unexplained", 3 * kMs}}));
}

TEST(Anatomy, TheLongestStallIsNamedAlsoWhereItIsNotTheCause) {
  constexpr std::int64_t kMs = 1'000'000;
  TestTimeline t;
  t.Launch(0, 5, 1).Kernel(0, 10, 1).Host(HostKind::kRuntime, "cudaDeviceSynchronize", 10, 5 * kMs);
  t.Host(HostKind::kOp, "aten::mm", 5 * kMs, 8 * kMs).Launch(8 * kMs, 8 * kMs + 5, 2);
  t.Kernel(8 * kMs, 9 * kMs, 2);
  std::vector<Gap> gaps;
  Split(t.timeline, {0, 9 * kMs}, &gaps);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].cause, Part::kSync);
  EXPECT_EQ(t.timeline.names.Text(t.timeline.host.name[gaps[0].stall_event]), "aten::mm");
}

TEST(Anatomy, AMissingLaunchIsExplainedByTheThreadThatLaunchesMost) {
  TestTimeline t;
  t.Launch(0, 1, 1).Launch(2, 3, 2).Host(HostKind::kRuntime, "cudaDeviceSynchronize", 10, 30);
  t.Host(HostKind::kOp, "x", 0, 40, -1, 1);
  t.Kernel(5, 10, 1).Kernel(30, 40);
  EXPECT_EQ(Split(t.timeline, {5, 40}), (Named{{"compute", 15}, {"sync", 20}}));
}

TEST(Anatomy, AGraphsKernelsShareOneLaunch) {
  TestTimeline t;
  t.Host(HostKind::kRuntime, "cudaGraphLaunch", 0, 5, 1);
  t.Kernel(10, 20, 1).Kernel(25, 40, 1).Kernel(40, 50, 1);
  // Idle inside the graph: the launch was long ago, the device side is what is waited for.
  EXPECT_EQ(Split(t.timeline, {10, 50}), (Named{{"compute", 35}, {"launch", 5}}));
}

TEST(Anatomy, EventsOverAStepsBordersAreCutThere) {
  TestTimeline t;
  t.Launch(0, 2, 1).Kernel(5, 60, 1).Step("ProfilerStep#1", 0, 30).Step("ProfilerStep#2", 30, 70);
  const std::vector<StepAnatomy> steps = StepsOf(t.timeline);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(Split(t.timeline, steps[0].window), (Named{{"compute", 25}, {"launch", 5}}));
  EXPECT_EQ(Split(t.timeline, steps[1].window).at("compute"), 30);
}

TEST(Anatomy, ZeroLengthEventsAndWindowsHoldNoTime) {
  TestTimeline t;
  t.Kernel(10, 10).Kernel(20, 20).Launch(0, 0, 1);
  EXPECT_EQ(Split(t.timeline, {10, 10}), Named{});
  EXPECT_EQ(SetsOf(t.timeline, nullptr).busy.size(), 0U);
}

TEST(Anatomy, EachDeviceIsExplainedByItself) {
  TestTimeline t;
  t.Device(Work::kCompute, 0, 50, -1, "k", 0).Device(Work::kH2D, 0, 20, -1, "m", 1);
  t.Launch(0, 1, 5).Device(Work::kCompute, 60, 100, 5, "k", 1);
  const std::int64_t one = 1;
  EXPECT_EQ(Split(t.timeline, {0, 100}, nullptr, &one),
            (Named{{"h2d", 20}, {"launch", 40}, {"compute", 40}}));
  EXPECT_EQ(DevicesOf(t.timeline), (std::vector<std::int64_t>{0, 1}));
}

TEST(Anatomy, AGapNamesWhatFilledItAndWhatEndedIt) {
  TestTimeline t;
  t.Launch(0, 5, 1).Kernel(0, 10, 1).Host(HostKind::kRuntime, "cudaStreamSynchronize", 10, 70);
  t.Launch(80, 90, 2).Kernel(100, 110, 2, "next");
  std::vector<Gap> gaps;
  Split(t.timeline, {0, 110}, &gaps);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].span, (Span{10, 100}));
  EXPECT_EQ(gaps[0].cause, Part::kSync);
  EXPECT_EQ(t.timeline.names.Text(t.timeline.device.name[gaps[0].ended_by]), "next");
  EXPECT_EQ(t.timeline.names.Text(t.timeline.host.name[gaps[0].host_event]),
            "cudaStreamSynchronize");
}

TEST(Anatomy, LeavesOutStepsWithinOthers) {
  TestTimeline t;
  // The second begins a nanosecond early, as rounded stamps do.
  t.Step("ProfilerStep#1", 0, 100).Step("ProfilerStep#2", 99, 200);
  t.Step("ProfilerStep#3", 110, 190).Step("ProfilerStep#4", 200, 300);
  std::vector<std::string> names;
  for (const StepAnatomy& step : StepsOf(t.timeline)) names.push_back(step.name);
  EXPECT_EQ(names,
            (std::vector<std::string>{"ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#4"}));
}

TEST(Anatomy, PartsAlwaysAddUp) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    TestTimeline t;
    for (int i = 0; i < 30; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 1000);
      const auto end = start + static_cast<std::int64_t>(random() % 60);
      const auto correlation = static_cast<std::int64_t>(random() % 40) - 1;
      const auto thread = static_cast<std::uint32_t>(random() % 3);
      switch (random() % 4) {
        case 0:
          t.Device(static_cast<Work>(random() % kWorkKinds), start, end, correlation, "k",
                   static_cast<std::int64_t>(random() % 2));
          break;
        case 1:
          t.Launch(start, end, correlation, thread);
          break;
        case 2:
          t.Host(HostKind::kRuntime, "cudaStreamSynchronize", start, end, correlation, thread);
          break;
        default:
          t.Host(HostKind::kOp, "aten::add", start, end, -1, thread);
      }
    }
    const auto from = static_cast<std::int64_t>(random() % 500);
    Split(t.timeline, {from, from + static_cast<std::int64_t>(random() % 700)});
  }
}

}  // namespace
}  // namespace gpuwhy::trace
