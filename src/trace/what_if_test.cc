#include "trace/what_if.h"

#include <gtest/gtest.h>

#include <map>

#include "trace/test_timeline.h"

namespace gpuwhy::trace {
namespace {

std::map<Change, WhatIf> Answers(const Timeline& timeline) {
  std::map<Change, WhatIf> answers;
  for (const WhatIf& answer : PlayAgain(timeline)) answers[answer.change] = answer;
  return answers;
}

TEST(WhatIf, WithoutInputWaitItsTimeIsGone) {
  TestTimeline t;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = i * 10000;
    t.Launch(at, at + 10, i).Kernel(at + 100, at + 2000, i);
    t.Host(HostKind::kAnnotation, "enumerate(DataLoader)#x.__next__", at + 20, at + 9000);
  }
  const auto answers = Answers(t.timeline);
  const WhatIf& input = answers.at(Change::kNoInputWait);
  EXPECT_TRUE(input.reliable);
  EXPECT_EQ(input.now_ns, 92000);
  // The device is then the limit: ten kernels of 1900 behind one latency.
  EXPECT_EQ(input.then_ns, 100 + 10 * 1900);
  EXPECT_EQ(answers.at(Change::kCopiesOverlapped).gain, 0);
  EXPECT_EQ(answers.at(Change::kCommunicationHidden).gain, 0);
}

TEST(WhatIf, AWaitThatTheDeviceHidesGainsNothing) {
  TestTimeline t;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = i * 1000;
    t.Launch(at, at + 10, i).Kernel(100 + i * 5000, 5100 + i * 5000, i);
    t.Host(HostKind::kAnnotation, "enumerate(DataLoader)#x.__next__", at + 20, at + 900);
  }
  EXPECT_EQ(Answers(t.timeline).at(Change::kNoInputWait).gain, 0);
}

TEST(WhatIf, ASynchronisationWaitsForTheDeviceStill) {
  TestTimeline t;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t at = i * 10000;
    t.Launch(at, at + 10, i).Kernel(at + 100, at + 9000, i);
    t.Host(HostKind::kRuntime, "cudaDeviceSynchronize", at + 20, at + 9000);
  }
  const auto answers = Answers(t.timeline);
  EXPECT_TRUE(answers.at(Change::kNoInputWait).reliable);
  // The host's work from a synchronisation to the next launch is gone, the waits are not.
  const WhatIf& batched = answers.at(Change::kLaunchesBatched);
  EXPECT_EQ(batched.now_ns - batched.then_ns, 9 * 1000);
}

TEST(WhatIf, HiddenCommunicationAndCopiesTakeNoTime) {
  TestTimeline t;
  t.Launch(0, 1, 0).Launch(2, 3, 1).Launch(4, 5, 2);
  t.Device(Work::kH2D, 100, 1100, 0, "copy").Kernel(1100, 2100, 1);
  t.Device(Work::kComm, 2100, 5100, 2, "nccl");
  const auto answers = Answers(t.timeline);
  EXPECT_NEAR(answers.at(Change::kCopiesOverlapped).gain, 1000.0 / 5100, 0.03);
  EXPECT_NEAR(answers.at(Change::kCommunicationHidden).gain, 3000.0 / 5100, 0.03);
}

TEST(WhatIf, WorkStillWaitsForAnotherStream) {
  TestTimeline t;
  t.Launch(0, 1, 0).Launch(2, 3, 1);
  t.Device(Work::kH2D, 100, 5100, 0, "copy", 0, 1);
  t.Device(Work::kCompute, 5101, 6000, 1, "k", 0, 2);
  EXPECT_TRUE(Answers(t.timeline).at(Change::kNoInputWait).reliable);
  EXPECT_GT(Answers(t.timeline).at(Change::kCopiesOverlapped).gain, 0.7);
}

TEST(WhatIf, WithoutLaunchesThereIsNoAnswer) {
  TestTimeline t;
  t.Kernel(0, 10);
  EXPECT_TRUE(PlayAgain(t.timeline).empty());
}

}  // namespace
}  // namespace gpuwhy::trace
