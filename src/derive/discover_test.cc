#include "derive/discover.h"

#include <gtest/gtest.h>

#include "derive/derive.h"
#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

/// A pipe consumer `pid` with one worker pid + 1, starved in `starved` of ten looks.
void AddJob(CaptureBuilder& builder, std::int32_t pid, std::uint32_t starved) {
  const std::string pipe = "pipe:[" + std::to_string(1000 + pid) + "]";
  builder.Process(pid, 1, "job" + std::to_string(pid));
  builder.Process(pid + 1, pid, "worker");
  builder.Fd(pid, 3, pipe, FdAccess::kRead).Fd(pid + 1, 4, pipe, FdAccess::kWrite);
  const Doing waits = Blocked(Syscall::kRead, "anon_pipe_read", builder.OnFd(pid, 3, pipe));
  for (std::uint32_t tick = 0; tick < 100; ++tick) {
    builder.Look(pid, pid, tick, tick % 10 < starved ? waits : Running());
    builder.Look(pid + 1, pid + 1, tick, Running());
  }
  builder.Used(pid, pid, 1, 0, 200).Used(pid + 1, pid + 1, 9, 0, 50);
}

CaptureBuilder NobodyGiven() {
  CaptureBuilder builder(0);
  builder.capture.run.focused = {};
  return builder;
}

TEST(DiscoverJobs, TheStarvedTreeIsFoundNotTheBusiest) {
  CaptureBuilder builder = NobodyGiven();
  builder.Process(50, 1, "spin");
  builder.Looks(50, 50, 100, Running()).Used(50, 50, 10, 0, 5);
  AddJob(builder, 10, 9);
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].root_pid, 10);
  EXPECT_EQ(jobs[0].consumer_pid, 10);
  EXPECT_EQ(jobs[0].filler_pids, std::vector<std::int32_t>{11});
  EXPECT_NEAR(jobs[0].score, 0.9, 1e-9);
  EXPECT_FALSE(jobs[0].given);
}

TEST(DiscoverJobs, BestFirst) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 4);
  AddJob(builder, 20, 9);
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].root_pid, 20);
  EXPECT_EQ(jobs[1].root_pid, 10);
}

TEST(DiscoverJobs, TwoAlikeAreListedAndAskedFor) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 8);
  AddJob(builder, 20, 9);
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(facts.jobs.size(), 2U);
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_NE(facts.blinds[0].why.find("20 (job20), 10 (job10)"), std::string::npos)
      << facts.blinds[0].why;
}

TEST(DiscoverJobs, WhatTellsTwoAlikeApartIsSaid) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 8);
  AddJob(builder, 20, 9);
  builder.capture.clocks.resize(1);
  builder.capture.clocks[0].mono = {std::chrono::seconds(100)};
  builder.capture.clocks[0].boottime = std::chrono::seconds(7000);
  builder.capture.host.ticks_per_second = 100;
  const NameId folder = builder.Name("/home/ana/exp7");
  const NameId cgroup = builder.Name("/slurm/job_12");
  ProcessSeen& root = builder.capture.processes[0];
  root.working_folder = folder;
  root.cgroups = {{builder.Name("cpu"), builder.Name("/")}, {kNoName, cgroup}};
  root.start_ticks = 100'000;
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[1].working_folder, "/home/ana/exp7");
  EXPECT_EQ(jobs[1].cgroup, "/slurm/job_12");
  EXPECT_NEAR(*jobs[1].age_s, 6000, 1e-6);
  EXPECT_NEAR(*jobs[1].cores, 1.0, 1e-6);
  // Without rights or a clock nothing is made up.
  EXPECT_EQ(jobs[0].working_folder, "");
  EXPECT_FALSE(jobs[0].age_s.has());
}

TEST(DiscoverJobs, APipelinesTreeHangsFromItsShell) {
  CaptureBuilder builder = NobodyGiven();
  builder.Process(5, 1, "bash");
  AddJob(builder, 10, 9);
  builder.capture.processes[1].ppid = 5;
  builder.capture.processes[2].ppid = 5;
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].root_pid, 5);
  EXPECT_EQ(jobs[0].consumer_pid, 10);
}

TEST(DiscoverJobs, AJobWhoseWorkersHangInAnOpenIsFoundThoughNothingWakesIt) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 10);
  std::erase_if(builder.capture.thread_samples, [](const ThreadSample& s) { return s.pid == 11; });
  builder.capture.thread_counters.clear();
  builder.Looks(11, 11, 100,
                Blocked(Syscall::kOpenat, "request_wait_answer", builder.OnPath(11, "/data/x")));
  builder.Used(10, 10, 0, 0, 0).Used(11, 11, 0, 0, 0);
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].root_pid, 10);
  EXPECT_NEAR(jobs[0].score, 1, 1e-9);
}

TEST(DiscoverJobs, AShellThatReadsWhatABusyScanPrintsIsNoJob) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 10);
  std::erase_if(builder.capture.thread_samples, [](const ThreadSample& s) { return s.pid == 11; });
  builder.capture.thread_counters.clear();
  builder.Looks(11, 11, 100, Blocked(Syscall::kGetdents, "folio_wait_bit_common"));
  builder.Used(10, 10, 0, 0, 0).Used(11, 11, 0.1, 0, 900);
  EXPECT_TRUE(DiscoverJobs(builder.capture).empty());
}

TEST(DiscoverJobs, AServerInEpollIsNoCandidate) {
  CaptureBuilder builder = NobodyGiven();
  builder.Process(10, 1, "nginx");
  builder.Socket(500, SocketKind::kTcp).listening = true;
  builder.Looks(10, 10, 100,
                Blocked(Syscall::kEpollWait, "do_epoll_wait", builder.OnFds(10, {"socket:[500]"})));
  builder.Used(10, 10, 0.1, 0, 100);
  EXPECT_TRUE(DiscoverJobs(builder.capture).empty());
}

TEST(DiscoverJobs, ThreadsOfOneProcessScoreLow) {
  CaptureBuilder builder = NobodyGiven();
  builder.Process(10, 1, "python");
  builder.Looks(10, 10, 100,
                Blocked(Syscall::kFutex, "futex_do_wait", builder.OnFutex(10, 64, true)));
  builder.Looks(10, 11, 100, Running());
  builder.Used(10, 10, 0, 0, 300).Used(10, 11, 9, 0, 10);
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_NEAR(jobs[0].score, 0.3, 1e-9);
}

TEST(DiscoverJobs, AProcessWithCudaComesFirst) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 9);
  AddJob(builder, 20, 6);
  for (ProcessSeen& process : builder.capture.processes) {
    process.maps_cuda = process.pid >= 20;  // the worker inherits the mapping
  }
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].root_pid, 20);
  EXPECT_NEAR(jobs[0].score, 0.6, 1e-9);
  EXPECT_EQ(jobs[0].gpu, GpuSign::kDevice);
  EXPECT_EQ(ChooseJob(jobs), 20) << "the other one waits more and uses no device";
}

/// A trainer that is slower than its workers: those wait for room in the pipe.
void AddJobInGoodOrder(CaptureBuilder& builder, std::int32_t pid) {
  const std::string pipe = "pipe:[" + std::to_string(1000 + pid) + "]";
  builder.Process(pid, 1, "train");
  builder.Process(pid + 1, pid, "worker");
  builder.Fd(pid, 3, pipe, FdAccess::kRead).Fd(pid + 1, 4, pipe, FdAccess::kWrite);
  const Doing waits =
      Blocked(Syscall::kWrite, "anon_pipe_write", builder.OnFd(pid + 1, 4, pipe, FdAccess::kWrite));
  builder.Looks(pid, pid, 100, Blocked(Syscall::kClockNanosleep, "hrtimer_nanosleep"));
  builder.Looks(pid + 1, pid + 1, 100, waits);
  builder.Used(pid, pid, 0.1, 0, 200).Used(pid + 1, pid + 1, 1, 0, 200);
}

TEST(DiscoverJobs, AJobWhoseWorkersAreAheadOfItIsOneToo) {
  CaptureBuilder builder = NobodyGiven();
  AddJobInGoodOrder(builder, 10);
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].consumer_pid, 10);
  EXPECT_EQ(jobs[0].filler_pids, std::vector<std::int32_t>{11});
  EXPECT_NEAR(jobs[0].score, 0.6, 1e-9);
  EXPECT_EQ(ChooseJob(jobs), 10);
}

/// A Python queue in good order: both ends share a semaphore, and the trainer is with its device.
void AddBoundedQueue(CaptureBuilder& builder, const Doing& trainer) {
  builder.Process(10, 1, "python3");
  builder.Process(11, 10, "python3");
  for (const std::int32_t pid : {10, 11}) builder.Mapping(pid, 0x1000, 77, "/dev/shm/sem.q");
  const Doing waits = Blocked(Syscall::kFutex, "futex_do_wait", builder.OnFutex(11, 0x1010, false));
  builder.Looks(10, 10, 100, trainer).Looks(11, 11, 100, waits);
}

TEST(DiscoverJobs, WorkersThatWaitOnASharedWordAreAheadOfATrainerThatIsBusy) {
  CaptureBuilder builder = NobodyGiven();
  AddBoundedQueue(builder, Blocked(Syscall::kClockNanosleep, "hrtimer_nanosleep"));
  builder.Used(10, 10, 0.1, 0, 200).Used(11, 11, 1, 0, 200);
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_NEAR(jobs[0].score, 0.6, 1e-9);
  EXPECT_EQ(jobs[0].filler_pids, std::vector<std::int32_t>{11});
}

TEST(DiscoverJobs, APoolWithoutWorkIsNotAheadOfItsParent) {
  CaptureBuilder builder = NobodyGiven();
  AddBoundedQueue(builder, Blocked(Syscall::kClockNanosleep, "hrtimer_nanosleep"));
  builder.Used(10, 10, 0.1, 0, 200).Used(11, 11, 0, 0, 0);
  EXPECT_TRUE(DiscoverJobs(builder.capture).empty());
}

TEST(DiscoverJobs, WorkersAheadOfOneThatTakesNothingAreNoJob) {
  CaptureBuilder builder = NobodyGiven();
  AddJobInGoodOrder(builder, 10);
  builder.capture.thread_counters.clear();
  builder.Used(10, 10, 0, 0, 0).Used(11, 11, 0, 0, 0);
  EXPECT_TRUE(DiscoverJobs(builder.capture).empty());
}

TEST(DiscoverJobs, AShellThatReadsWhatItsChildPrintsIsNoJob) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 10);
  builder.capture.processes[0].command = builder.Name("bash");
  EXPECT_TRUE(DiscoverJobs(builder.capture).empty());
}

TEST(DiscoverJobs, ABuildOfOtherProgramsIsLessLikeAJobThanItsOwnWorkers) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 10);
  AddJob(builder, 20, 6);
  const NameId python = builder.Name("/usr/bin/python3");
  const NameId compiler = builder.Name("/usr/bin/clang-tidy");
  for (ProcessSeen& process : builder.capture.processes) {
    process.executable = process.pid == 11 ? compiler : python;
  }
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].root_pid, 20);
  EXPECT_NEAR(jobs[1].score, 0.25, 1e-9);
  EXPECT_EQ(ChooseJob(jobs), 20);
}

TEST(DiscoverJobs, ALoneProcessOnADeviceIsFoundByIt) {
  CaptureBuilder builder = NobodyGiven();
  builder.Process(10, 1, "python3").maps_cuda = true;
  builder.Process(30, 1, "Xorg").maps_cuda = true;
  builder.Process(40, 1, "ipython").maps_framework = true;
  for (const std::int32_t pid : {10, 30, 40}) builder.Looks(pid, pid, 100, Running());
  builder.Used(10, 10, 8, 0, 5).Used(30, 30, 5, 0, 5).Used(40, 40, 0.01, 0, 5);
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].root_pid, 10);
  EXPECT_EQ(ChooseJob(jobs), 10);
}

TEST(DiscoverJobs, RanksHangFromTheirLauncherThatMapsTheFrameworkToo) {
  CaptureBuilder builder = NobodyGiven();
  builder.Process(5, 1, "python3").maps_framework = true;
  for (const std::int32_t pid : {10, 11}) {
    builder.Process(pid, 5, "python3").maps_cuda = true;
    builder.Looks(pid, pid, 100, Running()).Used(pid, pid, 8, 0, 5);
  }
  const std::vector<JobFacts> jobs = DiscoverJobs(builder.capture);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].root_pid, 5);
  EXPECT_EQ(jobs[0].gpu, GpuSign::kDevice);
}

TEST(DiscoverJobs, SwitchesThatAreNotReadEachTimeStillTellWhoWakes) {
  CaptureBuilder builder = NobodyGiven();
  builder.capture.run.focused = {std::chrono::seconds(105)};
  AddJob(builder, 10, 9);
  std::vector<ThreadCounters> later = builder.capture.thread_counters;
  for (ThreadCounters& counters : later) {
    counters.at = counters.at + std::chrono::seconds(20);
    counters.voluntary = counters.involuntary = Missing{Why::kNotSampled, "status"};
  }
  std::copy(later.begin(), later.end(), std::back_inserter(builder.capture.thread_counters));
  ASSERT_EQ(DiscoverJobs(builder.capture).size(), 1U);
}

JobFacts Job(std::int32_t pid, double score, GpuSign gpu = GpuSign::kNone) {
  JobFacts job;
  job.root_pid = pid;
  job.score = score;
  job.gpu = gpu;
  return job;
}

TEST(ChooseJob, TakesTheOnlyJobIfItWaitsEnough) {
  EXPECT_EQ(ChooseJob({Job(1, 0.2)}), 1);
  EXPECT_EQ(ChooseJob({Job(1, 0.19)}), 0);
  EXPECT_EQ(ChooseJob({Job(1, 0.1, GpuSign::kDevice)}), 1);
  EXPECT_EQ(ChooseJob({}), 0);
}

TEST(ChooseJob, TakesTheBestOnlyIfItIsTwiceTheSecondOfItsKind) {
  EXPECT_EQ(ChooseJob({Job(1, 0.8), Job(2, 0.4)}), 1);
  EXPECT_EQ(ChooseJob({Job(1, 0.8), Job(2, 0.41)}), 0);
  EXPECT_EQ(ChooseJob({Job(1, 0.3, GpuSign::kDevice), Job(2, 0.9)}), 1);
  EXPECT_EQ(ChooseJob({Job(1, 0.3, GpuSign::kDevice), Job(2, 0.2, GpuSign::kDevice)}), 0);
}

TEST(SeenEnough, WantsTwentyLooksAtTheBest) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 9);
  EXPECT_TRUE(SeenEnough(builder.capture, DiscoverJobs(builder.capture)));
  JobFacts few = Job(1, 0.9);
  few.looks = 19;
  EXPECT_FALSE(SeenEnough(builder.capture, {few}));
  EXPECT_FALSE(SeenEnough(Capture{}, {}));
}

TEST(DiscoverJobs, WhatLivesForAMomentIsNoJob) {
  CaptureBuilder builder = NobodyGiven();
  AddJob(builder, 10, 10);
  std::erase_if(builder.capture.thread_samples,
                [](const ThreadSample& sample) { return sample.tick > 20; });
  EXPECT_TRUE(DiscoverJobs(builder.capture).empty());
}

TEST(DiscoverJobs, TheFollowedJobIsFirstInTheFacts) {
  CaptureBuilder builder = NobodyGiven();
  builder.capture.run.focused = {std::chrono::seconds(102)};
  builder.capture.run.focus_pid = 10;
  AddJob(builder, 10, 4);
  AddJob(builder, 20, 9);
  const FactSet facts = Derive(builder.capture);
  ASSERT_EQ(facts.jobs.size(), 2U);
  EXPECT_EQ(facts.jobs[0].root_pid, 10);
  EXPECT_NEAR(*facts.Number(FactId::kConsumerWait, {SubjectKind::kJob, "10"}), 0.4, 0.05);
}

}  // namespace
}  // namespace gpuwhy
