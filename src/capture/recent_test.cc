#include "capture/recent.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "capture/codec_fields.h"

namespace gpuwhy {
namespace {

constexpr MonoTime At(int seconds) { return {std::chrono::seconds(seconds)}; }

ThreadSample Look(int seconds, std::int32_t pid) {
  ThreadSample sample;
  sample.at = At(seconds);
  sample.pid = sample.tid = pid;
  return sample;
}

ProcessSeen Process(int seconds, std::int32_t pid) {
  ProcessSeen process;
  process.at = At(seconds);
  process.pid = pid;
  return process;
}

FdSeen Descriptor(int seconds, std::int32_t pid, std::int32_t fd, NameId target) {
  FdSeen seen;
  seen.at = At(seconds);
  seen.pid = pid;
  seen.ref.fd = fd;
  seen.ref.target = target;
  return seen;
}

// Discovery until 3 s; process 8 ends after 100 s, 7 lives on.
Capture LongRun() {
  Capture capture;
  capture.run.started = At(0);
  capture.run.focused = At(3);
  capture.run.ended = At(1000);
  capture.run.focus_pid = 7;
  capture.processes = {Process(1, 7), Process(4, 8), Process(50, 9)};
  for (const int at : {2, 10, 100, 500, 900, 1000}) {
    capture.thread_samples.push_back(Look(at, 7));
    if (at > 3 && at <= 100) capture.thread_samples.push_back(Look(at, 8));
    CpuSample cpu;
    cpu.at = At(at);
    capture.cpu.push_back(cpu);
  }
  capture.fds = {Descriptor(2, 7, 3, 1), Descriptor(5, 8, 3, 2), Descriptor(20, 7, 4, 3),
                 Descriptor(90, 7, 4, 4), Descriptor(950, 7, 4, 5)};
  return capture;
}

TEST(KeepSince, KeepsDiscoveryAndTheEnd) {
  Capture capture = LongRun();
  KeepSince(capture, At(700));
  ASSERT_EQ(capture.thread_samples.size(), 3U);
  EXPECT_EQ(capture.thread_samples[0].at, At(2));
  EXPECT_EQ(capture.thread_samples[1].at, At(900));
  ASSERT_EQ(capture.cpu.size(), 3U);
  EXPECT_EQ(capture.cpu[1].at, At(900));
}

TEST(KeepSince, ForgetsProcessesThatAreNotLookedAtAnyMore) {
  Capture capture = LongRun();
  KeepSince(capture, At(700));
  ASSERT_EQ(capture.processes.size(), 1U);
  EXPECT_EQ(capture.processes[0].pid, 7);
  for (const FdSeen& fd : capture.fds) EXPECT_EQ(fd.pid, 7);
}

TEST(KeepSince, KeepsTheStateAtTheCut) {
  Capture capture = LongRun();
  KeepSince(capture, At(700));
  // Descriptor 3 was never seen again and still is what it was; 4 was opened anew at 90 s.
  ASSERT_EQ(capture.fds.size(), 3U);
  EXPECT_EQ(capture.fds[0].ref.target, 1U);
  EXPECT_EQ(capture.fds[1].ref.target, 4U);
  EXPECT_EQ(capture.fds[2].ref.target, 5U);
}

TEST(KeepSince, KeepsTheLastThatADeviceSaid) {
  Capture capture = LongRun();
  DeviceValue said;
  said.field = GpuField::kPower;
  for (const int at : {100, 600, 800}) {
    said.at = At(at);
    capture.device_values.push_back(said);
  }
  said.at = At(100);
  said.field = GpuField::kPowerLimit;
  capture.device_values.push_back(said);
  KeepSince(capture, At(700));
  ASSERT_EQ(capture.device_values.size(), 3U);
  EXPECT_EQ(capture.device_values[0].at, At(600));
  EXPECT_EQ(capture.device_values[1].at, At(800));
  EXPECT_EQ(capture.device_values[2].field, GpuField::kPowerLimit);
}

TEST(KeepSince, CutsInStepsAsAtOnce) {
  Capture at_once = LongRun(), in_steps = LongRun();
  KeepSince(at_once, At(700));
  for (const int at : {40, 60, 95, 300, 700, 700}) KeepSince(in_steps, At(at));
  EXPECT_EQ(at_once, in_steps);
}

// Else a run of a day needs the memory of a day. What stays few in any run may stand in `few`.
TEST(KeepSince, CutsEverythingThatHasATime) {
  // The source keeps 2000 lines of the kernel at most.
  const std::set<FrameType> few = {FrameType::kKernelLines};
  Capture capture;
  capture.run.focused = At(3);
  capture.run.job_pid = capture.run.focus_pid = 7;  // the records below are of another
  ForEachSampleVector(capture, []<class T>(FrameType /*type*/, std::vector<T>& samples) {
    if constexpr (requires(T one) { one.at; }) {
      samples.resize(2);
      samples[0].at = At(10);
      samples[1].at = At(20);
    }
  });
  KeepSince(capture, At(700));
  ForEachSampleVector(capture, [&few]<class T>(FrameType type, const std::vector<T>& samples) {
    if (few.count(type) != 0) return;
    EXPECT_LE(samples.size(), 1U) << "frame type " << static_cast<int>(type);
  });
}

TEST(KeepSince, LeavesAShortRunAlone) {
  Capture capture = LongRun();
  KeepSince(capture, At(3));
  EXPECT_EQ(capture, LongRun());
}

}  // namespace
}  // namespace gpuwhy
