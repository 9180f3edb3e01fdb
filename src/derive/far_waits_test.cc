#include "derive/far_waits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "derive/derive.h"
#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

const Blind* Find(const FactSet& facts, std::string_view text) {
  for (const Blind& blind : facts.blinds) {
    if (blind.what.find(text) != std::string::npos) return &blind;
  }
  return nullptr;
}

/// 10 reads a pipe that 11 and 12 write to.
CaptureBuilder Loaders() {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "train");
  builder.Process(11, 10, "loader");
  builder.Process(12, 10, "loader");
  builder.Fd(10, 3, "pipe:[7]", FdAccess::kRead);
  builder.Fd(11, 4, "pipe:[7]", FdAccess::kWrite).Fd(12, 4, "pipe:[7]", FdAccess::kWrite);
  for (const std::int32_t pid : {10, 11, 12}) builder.Used(pid, pid, 0.1, 0.01, 200);
  return builder;
}

Doing ReadsPipe(CaptureBuilder& builder) {
  return Blocked(Syscall::kRead, "pipe_read", builder.OnFd(10, 3, "pipe:[7]"));
}

Doing Sleeps(CaptureBuilder& builder, std::int32_t pid) {
  return Blocked(Syscall::kClockNanosleep, "hrtimer_nanosleep", builder.OnNothing(pid));
}

TEST(FarWaits, LoadersThatSleepWhileTheConsumerWaitsAreTheAnswer) {
  CaptureBuilder builder = Loaders();
  builder.Looks(10, 10, 200, ReadsPipe(builder));
  builder.Looks(11, 11, 200, Sleeps(builder, 11)).Looks(12, 12, 200, Sleeps(builder, 12));
  const FactSet facts = Derive(builder.capture);
  const Blind* blind = Find(facts, "fill its queue");
  ASSERT_NE(blind, nullptr);
  EXPECT_TRUE(blind->urgent);
  EXPECT_NE(blind->why.find("200 of 200 looks"), std::string::npos) << blind->why;
  EXPECT_NE(blind->why.find("100 % asleep until a clock rings"), std::string::npos) << blind->why;
  EXPECT_NE(blind->why.find("11 (loader), 12 (loader)"), std::string::npos) << blind->why;
}

TEST(FarWaits, LoadersThatWorkAreNoUnknown) {
  CaptureBuilder builder = Loaders();
  builder.Looks(10, 10, 200, ReadsPipe(builder));
  builder.Looks(11, 11, 200, Running()).Looks(12, 12, 200, Sleeps(builder, 12));
  EXPECT_EQ(Find(Derive(builder.capture), "fill its queue"), nullptr);
}

TEST(FarWaits, APoolWithoutWorkIsNoUnknown) {
  CaptureBuilder builder = Loaders();
  builder.Fd(10, 5, "pipe:[8]", FdAccess::kWrite);
  builder.Fd(11, 6, "pipe:[8]", FdAccess::kRead).Fd(12, 6, "pipe:[8]", FdAccess::kRead);
  builder.Looks(10, 10, 200, ReadsPipe(builder));
  for (const std::int32_t pid : {11, 12}) {
    builder.Looks(pid, pid, 200,
                  Blocked(Syscall::kRead, "pipe_read", builder.OnFd(pid, 6, "pipe:[8]")));
  }
  EXPECT_EQ(Find(Derive(builder.capture), "fill its queue"), nullptr);
}

TEST(FarWaits, APeerIsNamedWithItsAddress) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "train");
  builder.Used(10, 10, 0.1, 0.01, 200);
  builder.Fd(10, 3, "socket:[9]", FdAccess::kBoth);
  SocketSeen& socket = builder.Socket(9, SocketKind::kTcp);
  socket.remote = builder.Name("10.1.2.3:8080");
  builder.Looks(10, 10, 100,
                Blocked(Syscall::kRecvfrom, "sk_wait_data",
                        builder.OnFd(10, 3, "socket:[9]", FdAccess::kBoth)));
  const FactSet facts = Derive(builder.capture);
  const Blind* blind = Find(facts, "waits for the answer of 10.1.2.3:8080");
  ASSERT_NE(blind, nullptr);
  EXPECT_TRUE(blind->urgent);
}

TEST(FarWaits, ASleepOnATimerIsSaidToBeOpen) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "train");
  builder.Used(10, 10, 0.1, 0.01, 200);
  builder.Looks(10, 10, 40, Running());
  builder.Looks(10, 10, 100, Sleeps(builder, 10));
  const FactSet facts = Derive(builder.capture);
  const Blind* blind = Find(facts, "sleeps until a clock rings");
  ASSERT_NE(blind, nullptr);
  EXPECT_NE(blind->how.find("strace -f -p 10"), std::string::npos);
}

TEST(FarWaits, LessThanATenthOfTheLooksIsNotSaid) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "train");
  builder.Used(10, 10, 9.0, 0.01, 200);
  for (std::uint32_t tick = 0; tick < 200; ++tick) {
    builder.Look(10, 10, tick, tick % 11 == 0 ? Sleeps(builder, 10) : Running());
  }
  EXPECT_EQ(Find(Derive(builder.capture), "sleeps until a clock rings"), nullptr);
}

/// Loaders share a semaphore with the process above them; 12 waits for it while 11 works.
CaptureBuilder SharedSemaphore() {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "train");
  builder.Process(11, 10, "loader");
  builder.Process(12, 10, "loader");
  for (const std::int32_t pid : {10, 11, 12}) {
    builder.Mapping(pid, 0x1000, 77, "/dev/shm/sem.mp-a");
    builder.Used(pid, pid, 1.0, 0.01, 200);
  }
  builder.Looks(11, 11, 200, Running());
  builder.Looks(12, 12, 200,
                Blocked(Syscall::kFutex, "futex_wait_queue", builder.OnFutex(12, 0x1010, false)));
  return builder;
}

std::int32_t ConsumerOf(const FactSet& facts) {
  return facts.jobs.empty() ? 0 : facts.jobs.front().consumer_pid;
}

TEST(LateralWaits, OfLoadersAreForTheOneAboveThemWhereItAsksForNothing) {
  CaptureBuilder builder = SharedSemaphore();
  builder.Looks(10, 10, 200, Sleeps(builder, 10));
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(ConsumerOf(facts), 10) << "the loader that waits is ahead of it";
  const Reading<double> wait = facts.Number(FactId::kConsumerWait, facts.jobs.front().subject);
  ASSERT_TRUE(wait);
  EXPECT_EQ(*wait, 0);
  EXPECT_EQ(Find(facts, "sleeps until a clock rings"), nullptr)
      << "its sleep is its own pace: its loaders wait for it";
}

TEST(LateralWaits, AreOfTheSameQueueWhereTheOneAboveOnlyWaitsForItsChildrenToEnd) {
  CaptureBuilder builder = SharedSemaphore();
  builder.Looks(10, 10, 200, Blocked(Syscall::kWait4, "do_wait"));
  EXPECT_EQ(ConsumerOf(Derive(builder.capture)), 12);
}

}  // namespace
}  // namespace gpuwhy
