#include "collect/procfs/job_threads.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "collect/procfs/fake_proc.h"

namespace gpuwhy {
namespace {

class Threads : public testing::Test {
 protected:
  Threads() { proc.Add({.pid = 20, .state = 'D'}); }
  void Set(const char* file, const std::string& text) {
    proc.files.Set(ThreadPath(20, 20, file), text);
  }
  std::uint64_t Reads(const char* file) { return proc.files.Reads(ThreadPath(20, 20, file)); }

  FakeProc proc;
  Interner interner;
  DescriptorBudget budget{10};
  ThreadReader reader{proc.Get(), interner, "x86_64"};
  ThreadFiles thread{20, 20, budget};
};

TEST_F(Threads, ARunningThreadCostsOneRead) {
  const ThreadLook look = reader.Look(thread, {true, true});
  EXPECT_EQ(look.sample.call_state, SyscallState::kRunning);
  EXPECT_EQ(look.sample.wchan_state, WchanState::kNotRead);
  EXPECT_EQ(look.sample.state, 0);
  EXPECT_EQ(Reads("wchan") + Reads("stat"), 0U);
}

TEST_F(Threads, ABlockedThreadWithAChannelNeedsNoState) {
  Set("syscall", "0 0x5 0x0 0x0 0x0 0x0 0x0 0x1 0x2\n");
  Set("wchan", "anon_pipe_read");
  const ThreadLook look = reader.Look(thread, {true, true});
  EXPECT_EQ(look.sample.call_state, SyscallState::kBlocked);
  EXPECT_EQ(look.sample.call, Syscall::kRead);
  EXPECT_EQ(look.call.args[0], 5U);
  EXPECT_EQ(look.sample.wchan_state, WchanState::kName);
  EXPECT_EQ(interner.NamesFrom(0).at(look.sample.wchan), "anon_pipe_read");
  EXPECT_EQ(Reads("stat"), 0U);
}

TEST_F(Threads, WithoutAChannelTheStateDecides) {
  Set("syscall", "-1 0x1 0x2\n");
  const ThreadLook look = reader.Look(thread, {true, true});
  EXPECT_EQ(look.sample.call, Syscall::kNone);
  EXPECT_EQ(look.sample.wchan_state, WchanState::kZero);
  EXPECT_EQ(look.sample.state, 'D');
}

TEST_F(Threads, WithoutRightsAZeroIsDenied) {
  const ThreadLook look = reader.Look(thread, {false, false});
  EXPECT_EQ(look.sample.call_state, SyscallState::kDenied);
  EXPECT_EQ(look.sample.wchan_state, WchanState::kDenied);
  EXPECT_EQ(look.sample.state, 'D');
  EXPECT_EQ(Reads("syscall"), 0U);
}

TEST_F(Threads, WithTheRightToReadOnlyTheCallIsMissing) {
  Set("wchan", "futex_do_wait");
  const ThreadLook look = reader.Look(thread, {false, true});
  EXPECT_EQ(look.sample.call_state, SyscallState::kDenied);
  EXPECT_EQ(look.sample.wchan_state, WchanState::kName);
}

TEST_F(Threads, AThreadThatEndedIsGone) {
  (void)reader.Look(thread, {true, true});
  proc.files.Remove("/proc/20/task/20");
  EXPECT_EQ(reader.Look(thread, {true, true}).sample.call_state, SyscallState::kGone);
  ThreadFiles other(20, 21, budget);
  EXPECT_EQ(reader.Look(other, {false, true}).sample.call_state, SyscallState::kGone);
}

TEST_F(Threads, CountersAreExactAndSwitchesOnDemand) {
  const ThreadCounters without = reader.Counters(thread, false);
  EXPECT_EQ(without.run_ns.ValueOr(0), 1000U);
  EXPECT_EQ(without.delay_ns.ValueOr(0), 20U);
  EXPECT_EQ(without.voluntary.missing().why, Why::kNotSampled);
  const ThreadCounters with = reader.Counters(thread, true);
  EXPECT_EQ(with.voluntary.ValueOr(0), 4U);
  EXPECT_FALSE(with.involuntary.has());
  Set("schedstat", "broken");
  EXPECT_EQ(reader.Counters(thread, false).run_ns.missing().why, Why::kFailed);
}

TEST_F(Threads, BeyondTheBudgetFilesAreOpenedForEachRead) {
  DescriptorBudget none{0};
  {
    ThreadFiles poor(20, 20, none);
    EXPECT_EQ(reader.Look(poor, {true, true}).sample.call_state, SyscallState::kRunning);
    EXPECT_EQ(none.left, 0U);
  }
  DescriptorBudget one{1};
  {
    ThreadFiles rich(20, 20, one);
    (void)reader.Look(rich, {true, true});
    EXPECT_EQ(one.left, 0U);
  }
  EXPECT_EQ(one.left, 1U) << "given back";
}

TEST(KeepableDescriptors, AReserveIsLeft) {
  FakeProc proc;
  EXPECT_EQ(KeepableDescriptors(proc.files), 256U);
  proc.files.Set("/proc/self/limits", "Max open files            1024     524288     files\n");
  EXPECT_EQ(KeepableDescriptors(proc.files), 960U);
  proc.files.Set("/proc/self/limits", "Max open files            32     32     files\n");
  EXPECT_EQ(KeepableDescriptors(proc.files), 0U);
}

}  // namespace
}  // namespace gpuwhy
