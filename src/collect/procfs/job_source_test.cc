#include "collect/job_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <set>

#include "collect/procfs/fake_proc.h"

namespace gpuwhy {
namespace {

class Jobs : public testing::Test {
 protected:
  Jobs() {
    proc.files.SetLink("/proc/self", "99");
    proc.Add({.pid = 99, .exe = "/usr/bin/gpuwhy"});
  }
  std::unique_ptr<Source> Make(std::int32_t pid) {
    JobSourceOptions options;
    options.pid = pid;
    return MakeJobSource(proc.Get(), interner, options, focus);
  }
  Capture Look(Source& source) {
    Capture out;
    for (Missing& m : source.Look(out)) missing.push_back(std::move(m));
    proc.clock.Advance(std::max(source.Period(), Nanos(std::chrono::milliseconds(50))));
    return out;
  }
  static std::set<std::int32_t> Sampled(const Capture& look) {
    std::set<std::int32_t> pids;
    for (const ThreadSample& s : look.thread_samples) pids.insert(s.pid);
    return pids;
  }
  void AddTrainer() {
    proc.Add({.pid = 20, .children = "30 31"});
    proc.Add({.pid = 30, .ppid = 20, .pgrp = 20});
    proc.Add({.pid = 31, .ppid = 20, .pgrp = 20});
  }

  FakeProc proc;
  Interner interner;
  std::shared_ptr<JobFocus> focus = std::make_shared<JobFocus>();
  std::vector<Missing> missing;
};

using Pids = std::set<std::int32_t>;

TEST_F(Jobs, AWorkerLeadsToItsTrainerAndItsSiblings) {
  AddTrainer();
  const std::unique_ptr<Source> source = Make(31);
  const Capture look = Look(*source);
  EXPECT_EQ(look.processes.size(), 3U);
  EXPECT_EQ(look.thread_counters.size(), 3U);
  EXPECT_EQ(look.process_counters.size(), 3U);
  EXPECT_EQ(look.fds.size(), 3U);
  EXPECT_EQ(Sampled(look), (Pids{20, 30, 31}));
  EXPECT_EQ(look.thread_samples[0].tick, look.thread_samples[2].tick);
  EXPECT_EQ(source->Period(), std::chrono::milliseconds(50));
}

TEST_F(Jobs, ProcessesAreIntroducedOnceAndCountedEachSecond) {
  AddTrainer();
  const std::unique_ptr<Source> source = Make(20);
  (void)Look(*source);
  Capture rest;
  for (int i = 0; i < 40; ++i) AppendSamples(rest, Look(*source));
  EXPECT_TRUE(rest.processes.empty());
  EXPECT_EQ(rest.thread_counters.size(), 6U) << "twice in two seconds";
  EXPECT_EQ(rest.thread_samples.size(), 120U);
}

TEST_F(Jobs, NewWorkersJoinAndEndedOnesLeave) {
  AddTrainer();
  const std::unique_ptr<Source> source = Make(20);
  (void)Look(*source);
  proc.files.Set("/proc/20/task/20/children", "31 32");
  proc.Add({.pid = 32, .ppid = 20, .pgrp = 20});
  proc.files.Remove("/proc/30");
  Capture look;
  for (int i = 0; i < 21; ++i) look = Look(*source);
  EXPECT_EQ(Sampled(look), (Pids{20, 31, 32}));
  EXPECT_TRUE(missing.empty()) << "that a process ends is no failure";
}

TEST_F(Jobs, ANumberThatAStrangerGotIsNotOfTheJob) {
  AddTrainer();
  const std::unique_ptr<Source> source = Make(20);
  (void)Look(*source);
  proc.files.Set("/proc/20/task/20/children", "31");
  proc.files.Remove("/proc/30");
  proc.Add({.pid = 30, .ppid = 1, .start = 5000});
  Capture look;
  for (int i = 0; i < 21; ++i) look = Look(*source);
  EXPECT_EQ(Sampled(look), (Pids{20, 31}));
}

TEST_F(Jobs, AnotherUsersProcessShowsStateAndTimesOnly) {
  proc.Add({.pid = 20, .state = 'D'});
  for (const char* path : {"/proc/20/syscall", "/proc/20/task/20/syscall", "/proc/20/fd",
                           "/proc/20/exe", "/proc/20/maps", "/proc/20/io"})
    proc.files.Fail(path, EACCES);
  const std::unique_ptr<Source> source = Make(20);
  const Capture look = Look(*source);
  ASSERT_EQ(look.processes.size(), 1U);
  EXPECT_EQ(look.processes[0].waits_visible.missing().why, Why::kNoPermission);
  ASSERT_EQ(look.thread_samples.size(), 1U);
  EXPECT_EQ(look.thread_samples[0].state, 'D');
  EXPECT_EQ(look.thread_samples[0].call_state, SyscallState::kDenied);
  EXPECT_EQ(look.thread_samples[0].wchan_state, WchanState::kDenied) << "the 0 says nothing";
  EXPECT_EQ(look.thread_counters[0].run_ns.ValueOr(0), 1000U);
  EXPECT_EQ(look.process_counters[0].read_bytes.missing().why, Why::kNoPermission);
  EXPECT_FALSE(missing.empty());
  EXPECT_TRUE(std::all_of(missing.begin(), missing.end(),
                          [](const Missing& m) { return m.why == Why::kNoPermission; }));
}

TEST_F(Jobs, UnderYamaTheJobsUserStillSeesChannelsAndDescriptors) {
  proc.Add({.pid = 20});
  proc.AddFd(20, 5, "pipe:[77]", "flags:\t0\n");
  proc.files.Set("/proc/20/task/20/wchan", "anon_pipe_read");
  for (const char* path : {"/proc/20/syscall", "/proc/20/task/20/syscall"})
    proc.files.Fail(path, EPERM);
  const std::unique_ptr<Source> source = Make(20);
  const Capture look = Look(*source);
  ASSERT_EQ(look.processes.size(), 1U);
  EXPECT_EQ(look.processes[0].waits_visible.missing().why, Why::kNoPermission);
  ASSERT_EQ(look.thread_samples.size(), 1U);
  EXPECT_EQ(look.thread_samples[0].call_state, SyscallState::kDenied);
  EXPECT_EQ(look.thread_samples[0].wchan_state, WchanState::kName);
  EXPECT_EQ(interner.NamesFrom(0).at(look.thread_samples[0].wchan), "anon_pipe_read");
  EXPECT_EQ(look.fds.size(), 2U);
}

TEST_F(Jobs, AProcessThatDoesNotExistIsSaid) {
  const std::unique_ptr<Source> source = Make(4711);
  EXPECT_TRUE(Look(*source).thread_samples.empty());
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].why, Why::kNotPresent);
}

TEST_F(Jobs, WithoutAPidTheActiveTreesAreFoundByTwoScans) {
  AddTrainer();
  proc.Add({.pid = 40, .children = "41"});
  proc.Add({.pid = 41, .ppid = 40});
  const std::unique_ptr<Source> source = Make(0);
  EXPECT_TRUE(Look(*source).thread_samples.empty());
  EXPECT_EQ(source->Period(), std::chrono::milliseconds(300));
  proc.files.Set("/proc/31/task/31/schedstat", "1000 20 11\n");
  EXPECT_EQ(Sampled(Look(*source)), (Pids{20, 30, 31}));
  EXPECT_EQ(source->Jitter(), 0.5);
}

TEST_F(Jobs, AfterDiscoveryOnlyTheFocusIsFollowed) {
  AddTrainer();
  proc.Add({.pid = 40, .children = "41"});
  proc.Add({.pid = 41, .ppid = 40});
  const std::unique_ptr<Source> source = Make(0);
  (void)Look(*source);
  proc.files.Set("/proc/31/task/31/schedstat", "1000 20 11\n");
  proc.files.Set("/proc/41/task/41/schedstat", "1000 20 11\n");
  EXPECT_EQ(Sampled(Look(*source)), (Pids{20, 30, 31, 40, 41}));
  focus->pid = 40;
  const Capture look = Look(*source);
  EXPECT_EQ(Sampled(look), (Pids{40, 41}));
  EXPECT_TRUE(look.processes.empty()) << "they were introduced as candidates";
}

TEST_F(Jobs, AProcessThatEndedMeanwhileIsNoLackOfRights) {
  AddTrainer();
  proc.files.Fail("/proc/31/syscall", ENOENT);
  const std::unique_ptr<Source> source = Make(20);
  (void)Look(*source);
  EXPECT_TRUE(missing.empty());
}

TEST_F(Jobs, ThatTheJobEndedIsSaidOnlyIfItsNumberIsGone) {
  AddTrainer();
  const std::unique_ptr<Source> source = Make(20);
  (void)Look(*source);
  proc.files.Fail("/proc/20/stat", EIO);
  proc.files.Fail("/proc/30/stat", EIO);
  proc.files.Fail("/proc/31/stat", EIO);
  for (int i = 0; i < 25; ++i) (void)Look(*source);
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].why, Why::kFailed);
}

TEST_F(Jobs, HostileNamesAreKeptAsTheyAre) {
  const std::string name = "a) R 1 (b\n";
  proc.Add({.pid = 20, .command = name});
  proc.AddFd(20, 3, "/data/\x1b[31m\n", "flags:\t0\n");
  const std::unique_ptr<Source> source = Make(20);
  const Capture look = Look(*source);
  ASSERT_EQ(look.processes.size(), 1U);
  EXPECT_EQ(interner.NamesFrom(0).at(look.processes[0].command), name);
  EXPECT_EQ(look.fds.size(), 2U);
}

}  // namespace
}  // namespace gpuwhy
