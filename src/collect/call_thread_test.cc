#include "collect/call_thread.h"

#include <gtest/gtest.h>

#include <future>

#include "os/fake_clock.h"

namespace gpuwhy {
namespace {

constexpr Nanos kDeadline = std::chrono::seconds(1);

TEST(CallThread, RunsOnePieceOfWorkAfterTheOther) {
  FakeClock clock;
  int done = 0;
  CallThread thread(clock);
  EXPECT_TRUE(thread.Run([&done](CallWatch&) { done += 1; }, kDeadline));
  EXPECT_TRUE(thread.Run([&done](CallWatch&) { done += 10; }, kDeadline));
  EXPECT_EQ(done, 11);
  EXPECT_EQ(thread.StuckIn(), "");
}

TEST(CallThread, IsGivenUpInTheCallThatHangs) {
  FakeClock clock;
  std::promise<void> end;
  std::promise<void> ended;
  CallThread thread(clock);
  const bool in_time = thread.Run(
      [&](CallWatch& watch) {
        watch.Begin("first");
        watch.Begin("second");
        clock.Advance(2 * kDeadline);
        end.get_future().wait();
        ended.set_value();
      },
      kDeadline);
  EXPECT_FALSE(in_time);
  EXPECT_EQ(thread.StuckIn(), "second");
  bool ran = false;
  EXPECT_FALSE(thread.Run([&ran](CallWatch&) { ran = true; }, kDeadline));
  EXPECT_FALSE(ran);
  // So that the thread does not outlive the clock.
  end.set_value();
  ended.get_future().wait();
}

TEST(CallThread, EveryCallHasTheWholeDeadline) {
  FakeClock clock;
  CallThread thread(clock);
  EXPECT_TRUE(thread.Run(
      [&clock](CallWatch& watch) {
        for (int i = 0; i < 4; ++i) {
          watch.Begin("long, but not too long");
          clock.Advance(kDeadline / 2);
        }
      },
      kDeadline));
}

}  // namespace
}  // namespace gpuwhy
