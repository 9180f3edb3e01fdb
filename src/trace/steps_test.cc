#include "trace/steps.h"

#include <gtest/gtest.h>

#include <string>

#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

// Steps of `length` from `at` on: each four kernels in its first 38 ns, then a pause.
void AddKernels(TestTimeline& t, std::int64_t at, int steps, std::int64_t length) {
  for (int step = 0; step < steps; ++step) {
    std::int64_t start = at + step * length;
    for (const char* name : {"a", "b", "a", "c"}) {
      t.Kernel(start, start + 8, -1, name);
      start += 10;
    }
  }
}

TEST(Steps, MarkersComeFirst) {
  TestTimeline t;
  AddKernels(t, 0, 6, 100);
  t.Step("ProfilerStep#2", 100, 200).Step("ProfilerStep#1", 0, 100);
  const StepList list = FindSteps(t.timeline);
  EXPECT_EQ(list.source, "marker");
  ASSERT_EQ(list.steps.size(), 2U);
  EXPECT_EQ(list.steps[0].anatomy.name, "ProfilerStep#1");
}

TEST(Steps, RangesThatRepeatAreSteps) {
  TestTimeline t;
  for (int i = 0; i < 5; ++i) {
    t.Host(HostKind::kAnnotation, "step " + std::to_string(i), i * 100, i * 100 + 95);
    t.Host(HostKind::kAnnotation, "forward", i * 100, i * 100 + 40);
    t.Kernel(i * 100 + 10, i * 100 + 80);
  }
  const StepList list = FindSteps(t.timeline);
  EXPECT_EQ(list.source, "annotation");
  EXPECT_EQ(list.confidence, "high");
  ASSERT_EQ(list.steps.size(), 5U);
  EXPECT_EQ(list.steps[3].anatomy.window, (Span{300, 395}));
}

TEST(Steps, ThePeriodOfTheKernelsIsFoundAndStartsAfterThePause) {
  TestTimeline t;
  AddKernels(t, 0, 12, 100);
  const StepList list = FindSteps(t.timeline);
  EXPECT_EQ(list.source, "period");
  EXPECT_EQ(list.confidence, "medium");
  ASSERT_GE(list.steps.size(), 10U);
  for (const Step& step : list.steps) {
    EXPECT_EQ(step.anatomy.window.Length(), 100);
    EXPECT_EQ(step.anatomy.window.start % 100, 0);
  }
}

TEST(Steps, WhatDoesNotRepeatHasNone) {
  TestTimeline t;
  for (int i = 0; i < 40; ++i) t.Kernel(i * 10, i * 10 + 5, -1, "k" + std::to_string(i * i % 41));
  const StepList list = FindSteps(t.timeline);
  EXPECT_TRUE(list.steps.empty());
  EXPECT_EQ(list.source, "");
  EXPECT_TRUE(FindSteps(TestTimeline().timeline).steps.empty());
}

TEST(Steps, EndsOfAProfileAreLeftOut) {
  TestTimeline t;
  t.Step("ProfilerStep#0", 0, 500);
  for (int i = 1; i < 5; ++i) {
    t.Step("ProfilerStep#" + std::to_string(i), 400 + i * 100, 500 + i * 100 + i);
    t.Kernel(400 + i * 100, 480 + i * 100);
  }
  t.Step("ProfilerStep#5", 910, 930).Kernel(10, 20).Kernel(910, 915);
  const StepList list = FindSteps(t.timeline);
  ASSERT_EQ(list.steps.size(), 6U);
  EXPECT_EQ(list.steps[0].use, StepUse::kWarmUp);
  EXPECT_EQ(list.steps[5].use, StepUse::kIncomplete);
  ASSERT_TRUE(list.typical && list.worst);
  EXPECT_EQ(list.steps[*list.worst].anatomy.name, "ProfilerStep#4");
  EXPECT_EQ(list.steps[*list.typical].anatomy.name, "ProfilerStep#2");
}

TEST(Steps, AFirstStepWithoutDeviceWorkIsTheProfilersStart) {
  TestTimeline t;
  for (int i = 0; i < 4; ++i) {
    t.Step("ProfilerStep#" + std::to_string(i), i * 100, i * 100 + 100);
    if (i > 0) t.Kernel(i * 100 + 10, i * 100 + 50);
  }
  EXPECT_EQ(FindSteps(t.timeline).steps[0].use, StepUse::kProfilerStart);
}

}  // namespace
}  // namespace gpuwhy::trace
