#include "derive/derive.h"

#include <gtest/gtest.h>

#include <cmath>

#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

const Subject kTheJob{SubjectKind::kJob, "10"};

const Fact& Get(const FactSet& facts, FactId id, const Subject& subject = kTheJob) {
  static const Fact none;
  const Fact* fact = facts.Find(id, subject);
  EXPECT_NE(fact, nullptr) << Id(id);
  return fact == nullptr ? none : *fact;
}

double NumberOf(const FactSet& facts, FactId id, const Subject& subject = kTheJob) {
  const Fact& fact = Get(facts, id, subject);
  EXPECT_TRUE(fact.value.has()) << Id(id) << ": " << fact.value.missing().detail;
  return fact.value ? fact.Number() : std::nan("");
}

Why WhyMissing(const FactSet& facts, FactId id, const Subject& subject = kTheJob) {
  const Fact& fact = Get(facts, id, subject);
  EXPECT_FALSE(fact.value.has()) << Id(id);
  return fact.value ? Why::kNotPresent : fact.value.missing().why;
}

const WaitEdge* Edge(const FactSet& facts, const std::string& kind) {
  for (const WaitEdge& edge : facts.wait_chain) {
    if (edge.kind == kind) return &edge;
  }
  return nullptr;
}

/// 200 looks; of ten, `starved` find the trainer at its pipe.
void TrainerStarved(CaptureBuilder& builder, std::uint32_t starved) {
  const Doing waits = WaitsForPipe(builder);
  for (std::uint32_t tick = 0; tick < 200; ++tick) {
    builder.Look(10, 10, tick, tick % 10 < starved ? waits : Running());
  }
}

TEST(Derive, WorkersThatOpenFilesOnAMountAreWhatTheTrainerWaitsFor) {
  CaptureBuilder builder = PipeJob(3);
  builder.MountAt(10, 30, "/", "ext4").MountAt(10, 31, "/data", "fuse.sshfs");
  TrainerStarved(builder, 9);
  builder.Used(10, 10, 1, 0, 500);
  for (int pid = 11; pid <= 13; ++pid) {
    for (std::uint32_t tick = 0; tick < 200; ++tick) {
      const std::string path = "/data/train/" + std::to_string(tick % 50) + ".jpg";
      builder.Look(pid, pid, tick,
                   tick % 5 == 0 ? Running()
                                 : Blocked(Syscall::kOpenat, "request_wait_answer",
                                           builder.OnPath(pid, path)));
    }
    builder.Used(pid, pid, 2, 0, 900);
  }
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kConsumerWait), 0.9, 1e-9);
  EXPECT_LT(Get(facts, FactId::kConsumerWait).interval.low, 0.9);
  EXPECT_GT(Get(facts, FactId::kConsumerWait).interval.high, 0.9);
  EXPECT_EQ(NumberOf(facts, FactId::kFillers), 3);
  EXPECT_NEAR(NumberOf(facts, FactId::kFillersOpenWait), 0.8, 1e-9);
  EXPECT_NEAR(NumberOf(facts, FactId::kFillersReadWait), 0, 1e-9);
  const Subject data{SubjectKind::kMount, "/data"};
  EXPECT_NEAR(NumberOf(facts, FactId::kMountOpenWait, data), 0.8, 1e-9);
  EXPECT_EQ(NumberOf(facts, FactId::kMountOpenNamed, data), 480);
  EXPECT_EQ(NumberOf(facts, FactId::kMountOpenDistinct, data), 40);
  EXPECT_EQ(std::get<std::string>(*Get(facts, FactId::kMountExample, data).value),
            "/data/train/49.jpg");
  EXPECT_EQ(std::get<std::string>(*Get(facts, FactId::kMountType, data).value), "fuse.sshfs");
  EXPECT_EQ(facts.Find(FactId::kMountOpenWait, {SubjectKind::kMount, "/"}), nullptr);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainStorageOpen), 0.8, 0.02);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainStorageRead), 0, 1e-9);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainCpuWork), 0.2, 0.02);
  ASSERT_EQ(facts.jobs.size(), 1U);
  EXPECT_EQ(facts.jobs[0].consumer_pid, 10);
  EXPECT_EQ(facts.jobs[0].filler_pids, (std::vector<std::int32_t>{11, 12, 13}));
  ASSERT_NE(Edge(facts, "pipe"), nullptr);
  EXPECT_EQ(Edge(facts, "pipe")->object, "pipe:[77]");
  EXPECT_EQ(Edge(facts, "pipe")->proof, "membership");
  ASSERT_NE(Edge(facts, "open"), nullptr);
  EXPECT_EQ(Edge(facts, "open")->to.id, "/data");
  EXPECT_TRUE(facts.blinds.size() == 1 && facts.blinds[0].hides.size() == 1)
      << "only PSI is missing";
}

TEST(Derive, ReadsAreJoinedToTheirMountByItsId) {
  CaptureBuilder builder = PipeJob(2);
  builder.MountAt(0, 40, "/mnt/set", "nfs4").MountAt(0, 41, "/", "ext4");
  TrainerStarved(builder, 10);
  builder.Used(10, 10, 0, 0, 500);
  for (int pid = 11; pid <= 12; ++pid) {
    // As the worker sees it: a path that does not name the mount.
    const std::uint32_t detail = builder.OnFd(pid, 9, "/renamed/a.bin", FdAccess::kRead, 40);
    builder.Looks(pid, pid, 200, Blocked(Syscall::kPread, "folio_wait_bit_common", detail, 'D'));
    builder.Used(pid, pid, 0.4, 0, 900);
  }
  const FactSet facts = Derive(builder.capture);
  const Subject mount{SubjectKind::kMount, "/mnt/set"};
  EXPECT_NEAR(NumberOf(facts, FactId::kMountReadWait, mount), 1, 1e-9);
  EXPECT_NEAR(NumberOf(facts, FactId::kFillersReadWait), 1, 1e-9);
  EXPECT_GT(NumberOf(facts, FactId::kGainStorage), 0.9);
  EXPECT_LT(NumberOf(facts, FactId::kBoundCpu), 0.01);
}

TEST(Derive, ComputingWorkersBoundTheJobByCpu) {
  CaptureBuilder builder = PipeJob(3);
  TrainerStarved(builder, 8);
  builder.Used(10, 10, 2, 0, 500);
  for (int pid = 11; pid <= 13; ++pid) {
    builder.Looks(pid, pid, 200, Running()).Used(pid, pid, 9.8, 0.2, 20);
  }
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kBoundCpu), 0.8, 0.01);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainStorage), 0, 1e-9);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainCpuWork), 0.8, 0.01) << "no more than it waits";
  EXPECT_EQ(NumberOf(facts, FactId::kGainQuota), 0);
  EXPECT_NEAR(NumberOf(facts, FactId::kFillersRun), 2.94, 0.01);
  EXPECT_NEAR(NumberOf(facts, FactId::kJobRun), 3.14, 0.01);
}

TEST(Derive, AQuotaThatStopsTheWorkersIsTheGain) {
  CaptureBuilder builder = PipeJob(1);
  builder.capture.processes[0].cgroups.push_back({kNoName, builder.Name("/job/a")});
  builder.capture.processes[1].cgroups.push_back({kNoName, builder.Name("/job/a")});
  TrainerStarved(builder, 10);
  builder.Used(10, 10, 0, 0, 300);
  builder.Looks(11, 11, 200, Running()).Used(11, 11, 2, 7.9, 20);
  builder.Quota("/job", 20'000, 100, 100).Quota("/other", 10'000, 100, 100);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kGainQuota), 0.8, 0.02);
  EXPECT_LT(NumberOf(facts, FactId::kBoundCpu), 0.25) << "stopped is not computing";
  EXPECT_NEAR(NumberOf(facts, FactId::kJobCoresQuota), 0.2, 1e-9);
  const Subject cgroup{SubjectKind::kCgroup, "/job"};
  EXPECT_NEAR(NumberOf(facts, FactId::kCgroupThrottled, cgroup), 1, 1e-9);
  EXPECT_EQ(NumberOf(facts, FactId::kCgroupPeriods, cgroup), 100);
  EXPECT_EQ(facts.Find(FactId::kCgroupThrottled, {SubjectKind::kCgroup, "/other"}), nullptr);
  ASSERT_NE(Edge(facts, "quota"), nullptr);
  EXPECT_NEAR(Edge(facts, "quota")->share, 0.8, 0.02);
}

TEST(Derive, AServerInEpollOnItsListeningSocketWaitsForRequests) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "serve");
  builder.Socket(500, SocketKind::kTcp).listening = true;
  const std::uint32_t detail = builder.OnFds(10, {"socket:[500]", "pipe:[3]"});
  builder.Looks(10, 10, 200, Blocked(Syscall::kEpollWait, "do_epoll_wait", detail));
  // Its pool sleeps in private futexes: helpers, not the process's wait.
  builder.Looks(10, 12, 200,
                Blocked(Syscall::kFutex, "futex_do_wait", builder.OnFutex(10, 64, true)));
  builder.Used(10, 10, 0.1, 0, 30).Used(10, 12, 0, 0, 0);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kConsumerRequests), 1, 1e-9);
  EXPECT_EQ(NumberOf(facts, FactId::kConsumerWait), 0);
  EXPECT_EQ(NumberOf(facts, FactId::kFillers), 0);
  EXPECT_EQ(WhyMissing(facts, FactId::kFillersRun), Why::kNotPresent);
  EXPECT_EQ(NumberOf(facts, FactId::kGainStorage), 0);
  EXPECT_NE(Edge(facts, "requests"), nullptr);
}

TEST(Derive, ATrainerBehindAPinMemoryThreadIsStarved) {
  CaptureBuilder builder = PipeJob(2);
  const Doing main = Blocked(Syscall::kFutex, "futex_do_wait", builder.OnFutex(10, 64, true));
  const Doing pin =
      Blocked(Syscall::kPoll, "poll_schedule_timeout", builder.OnFd(10, 5, "pipe:[77]"));
  builder.Looks(10, 10, 200, main).Looks(10, 15, 200, pin);
  builder.Used(10, 10, 0.1, 0, 300).Used(10, 15, 0.1, 0, 300);
  for (int pid = 11; pid <= 12; ++pid) {
    builder.Looks(pid, pid, 200, Running()).Used(pid, pid, 9.9, 0, 10);
  }
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kConsumerWait), 1, 1e-9);
  EXPECT_EQ(NumberOf(facts, FactId::kConsumerUnproven), 0);
}

TEST(Derive, NothingIsGainedInFrontOfASlowTrainer) {
  CaptureBuilder builder = PipeJob(2);
  builder.Looks(10, 10, 200, Running()).Used(10, 10, 9.9, 0, 5);
  for (int pid = 11; pid <= 12; ++pid) {
    const Doing full = Blocked(Syscall::kWrite, "anon_pipe_write",
                               builder.OnFd(pid, 6, "pipe:[77]", FdAccess::kWrite));
    const Doing reads =
        Blocked(Syscall::kPread, "folio_wait_bit_common", builder.OnFd(pid, 9, "/d/x"), 'D');
    for (std::uint32_t tick = 0; tick < 200; ++tick) {
      builder.Look(pid, pid, tick, tick % 2 == 0 ? full : reads);
    }
    builder.Used(pid, pid, 1, 0, 300);
  }
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(facts.jobs[0].consumer_pid, 10);
  EXPECT_EQ(NumberOf(facts, FactId::kFillers), 2);
  EXPECT_NEAR(NumberOf(facts, FactId::kFillersQueueFull), 0.5, 1e-9);
  EXPECT_NEAR(NumberOf(facts, FactId::kFillersReadWait), 0.5, 1e-9);
  EXPECT_EQ(NumberOf(facts, FactId::kConsumerWait), 0);
  EXPECT_EQ(NumberOf(facts, FactId::kGainStorage), 0);
  EXPECT_EQ(NumberOf(facts, FactId::kGainCpuWork), 0);
  EXPECT_LT(Get(facts, FactId::kGainStorage).interval.high, 0.03);
}

TEST(Derive, WorkersThatWaitForTheirNextIndexDoNotMakeThemConsumers) {
  CaptureBuilder builder = PipeJob(2);
  builder.Fd(10, 7, "pipe:[88]", FdAccess::kWrite);
  builder.Looks(10, 10, 200, Running()).Used(10, 10, 9.9, 0, 50);
  for (int pid = 11; pid <= 12; ++pid) {
    builder.Looks(
        pid, pid, 200,
        Blocked(Syscall::kPoll, "poll_schedule_timeout", builder.OnFd(pid, 8, "pipe:[88]")));
    builder.Used(pid, pid, 1, 0, 300);
  }
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(facts.jobs[0].consumer_pid, 10);
  EXPECT_EQ(NumberOf(facts, FactId::kConsumerWait), 0);
  EXPECT_EQ(NumberOf(facts, FactId::kGainCpuWork), 0);
}

TEST(Derive, WithoutRightsTheWaitsAreMissingAndSaidToBe) {
  CaptureBuilder builder = PipeJob(2);
  for (ProcessSeen& process : builder.capture.processes) {
    process.waits_visible = Missing{Why::kNoPermission, "/proc/10/syscall"};
  }
  for (int pid = 10; pid <= 12; ++pid) {
    builder.Looks(pid, pid, 200, Denied()).Used(pid, pid, 1, 0.5, 300);
  }
  builder.capture.run.uid = 1000;
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(WhyMissing(facts, FactId::kConsumerWait), Why::kNoPermission);
  EXPECT_EQ(WhyMissing(facts, FactId::kGainStorage), Why::kNoPermission);
  EXPECT_NEAR(NumberOf(facts, FactId::kJobRun), 0.3, 1e-9) << "counters need no rights";
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_NE(facts.blinds[0].why.find("/proc/10/syscall"), std::string::npos);
  EXPECT_NE(facts.blinds[0].how.find("--pid 10"), std::string::npos);
  EXPECT_FALSE(facts.blinds[0].hides.empty());
}

TEST(Derive, ASharedSemaphoreIsMatchedByItsMappingNotItsAddress) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "python");
  builder.Process(11, 10, "python");
  builder.Process(12, 10, "python");
  builder.Mapping(10, 0x1000, 9, "/dev/shm/sem.mp-x (deleted)");
  builder.Mapping(11, 0x7000, 9, "/dev/shm/sem.mp-x (deleted)");
  builder.Mapping(12, 0x1000, 8, "/dev/shm/other");
  const std::uint32_t waits = builder.OnFutex(10, 0x1010, false);
  builder.Looks(10, 10, 100, Blocked(Syscall::kFutex, "futex_do_wait", waits));
  builder.Looks(11, 11, 100, Running()).Looks(12, 12, 100, Running());
  builder.Used(10, 10, 0, 0, 300).Used(11, 11, 9, 0, 20).Used(12, 12, 9, 0, 20);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kConsumerWait), 1, 1e-9);
  EXPECT_EQ(facts.jobs[0].filler_pids, (std::vector<std::int32_t>{11}));
  ASSERT_NE(Edge(facts, "semaphore"), nullptr);
  EXPECT_EQ(Edge(facts, "semaphore")->proof, "membership");
}

TEST(Derive, AResourceTrackerThatNeverWakesStarvesNobody) {
  CaptureBuilder builder = PipeJob(1);
  builder.Process(20, 10, "python");
  builder.Fd(11, 30, "pipe:[90]", FdAccess::kWrite).Fd(10, 30, "pipe:[90]", FdAccess::kWrite);
  builder.Looks(20, 20, 200,
                Blocked(Syscall::kRead, "anon_pipe_read", builder.OnFd(20, 3, "pipe:[90]")));
  builder.Looks(10, 10, 200, Running()).Looks(11, 11, 200, Running());
  builder.Used(10, 10, 9, 0, 30).Used(11, 11, 9, 0, 30).Used(20, 20, 0, 0, 0);
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(NumberOf(facts, FactId::kConsumerWait), 0);
  EXPECT_EQ(NumberOf(facts, FactId::kFillers), 0);
  EXPECT_EQ(facts.jobs[0].consumer_pid, 0);
}

TEST(Derive, ASentinelAmongThePolledPipesDoesNotStarveWhileWorkersIdle) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "python");
  builder.Process(11, 10, "python");
  builder.Fd(10, 20, "pipe:[70]", FdAccess::kRead).Fd(11, 4, "pipe:[70]", FdAccess::kWrite);
  builder.Fd(10, 21, "pipe:[71]", FdAccess::kRead).Fd(11, 5, "pipe:[71]", FdAccess::kWrite);
  builder.Fd(10, 22, "pipe:[72]", FdAccess::kWrite).Fd(11, 6, "pipe:[72]", FdAccess::kRead);
  const std::uint32_t polled = builder.OnFds(10, {"pipe:[70]", "pipe:[71]"});
  builder.Looks(10, 10, 200, Blocked(Syscall::kPoll, "poll_schedule_timeout", polled));
  builder.Looks(11, 11, 200,
                Blocked(Syscall::kRead, "anon_pipe_read", builder.OnFd(11, 6, "pipe:[72]")));
  builder.Used(10, 10, 0, 0, 100).Used(11, 11, 0, 0, 100);
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(NumberOf(facts, FactId::kConsumerWait), 0);
}

TEST(Derive, EndsWithoutDoubtProveTheDirection) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "train");
  builder.Process(11, 10, "load");
  builder.Fd(10, 5, "pipe:[77]", FdAccess::kRead).Fd(11, 6, "pipe:[77]", FdAccess::kWrite);
  TrainerStarved(builder, 10);
  builder.Looks(11, 11, 200, Running());
  builder.Used(10, 10, 0, 0, 100).Used(11, 11, 9, 0, 100);
  const FactSet facts = Derive(builder.capture);
  ASSERT_NE(Edge(facts, "pipe"), nullptr);
  EXPECT_EQ(Edge(facts, "pipe")->proof, "direction");
}

TEST(Derive, ATrainerWhoseWorkersHangInAnOpenIsStarvedThoughNothingWakesIt) {
  CaptureBuilder builder = PipeJob(1);
  TrainerStarved(builder, 10);
  builder.Looks(11, 11, 200,
                Blocked(Syscall::kOpenat, "request_wait_answer", builder.OnPath(11, "/data/x")));
  builder.Used(10, 10, 0, 0, 0).Used(11, 11, 0, 0, 0);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kConsumerWait), 1, 1e-9);
}

TEST(Derive, TooFewLooksGiveNoGain) {
  CaptureBuilder builder = PipeJob(1);
  builder.Looks(10, 10, 20, WaitsForPipe(builder)).Looks(11, 11, 20, Running());
  builder.Used(10, 10, 0, 0, 100).Used(11, 11, 9, 0, 100);
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(WhyMissing(facts, FactId::kGainCpuWork), Why::kNotSampled);
}

TEST(Derive, ThreadsOfOneProcessAreSaidToBeUnprovable) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "python").threads = 2;
  builder.Looks(10, 10, 100,
                Blocked(Syscall::kFutex, "futex_do_wait", builder.OnFutex(10, 64, true)));
  builder.Looks(10, 11, 100, Running());
  builder.Used(10, 10, 0, 0, 300).Used(10, 11, 9, 0, 10);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kConsumerUnproven), 1, 1e-9);
  EXPECT_EQ(WhyMissing(facts, FactId::kGainCpuWork), Why::kNotSupported);
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_NE(facts.blinds[0].what.find("10"), std::string::npos);
}

TEST(Derive, ALauncherIsNotTheConsumer) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "bash");
  builder.Process(11, 10, "serve");
  builder.Socket(500, SocketKind::kTcp).listening = true;
  builder.Looks(10, 10, 100, Blocked(Syscall::kWait4, "do_wait"));
  builder.Looks(11, 11, 100,
                Blocked(Syscall::kAccept, "inet_csk_accept", builder.OnFd(11, 4, "socket:[500]")));
  builder.Used(10, 10, 0, 0, 0).Used(11, 11, 1, 0, 40);
  const FactSet facts = Derive(builder.capture);
  EXPECT_NEAR(NumberOf(facts, FactId::kConsumerRequests), 1, 1e-9);
}

TEST(Derive, AJobThatIsGoneIsSaidToBe) {
  CaptureBuilder builder(4242);
  builder.Process(10, 1, "python");
  const FactSet facts = Derive(builder.capture);
  EXPECT_TRUE(facts.jobs.empty());
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_NE(facts.blinds[0].what.find("4242"), std::string::npos);
}

TEST(Derive, GarbageGivesFactsOrReasonsButNoCrash) {
  CaptureBuilder builder = PipeJob(3);
  TrainerStarved(builder, 10);
  builder.Used(10, 10, 0, 0, 10);
  Capture& capture = builder.capture;
  capture.processes.push_back(capture.processes[1]);
  capture.processes[0].ppid = 11;  // a cycle: 10 -> 11 -> 10
  capture.processes.push_back({});
  capture.processes.back().pid = -5;
  for (ThreadSample& sample : capture.thread_samples) {
    sample.detail += 0xFFFFFF00U;
    sample.wchan += 0x7FFFFFFFU;
  }
  capture.thread_counters.push_back({});
  capture.thread_counters.back().pid = 10;
  capture.regions.push_back({});
  capture.regions.back().start = 10;
  std::swap(capture.run.ended, capture.run.started);
  capture.sockets.push_back({});
  capture.fds.push_back({});
  capture.fds.back().ref.target = 12345678;
  capture.mounts.push_back({});
  EXPECT_FALSE(Derive(capture).facts().empty());
  EXPECT_FALSE(Derive(Capture()).facts().empty());
}

TEST(Derive, TheSameCaptureGivesTheSameFacts) {
  CaptureBuilder builder = PipeJob(3);
  TrainerStarved(builder, 9);
  for (int pid = 10; pid <= 13; ++pid) builder.Used(pid, pid, 1, 0, 100);
  for (int pid = 11; pid <= 13; ++pid) builder.Looks(pid, pid, 200, Running());
  const FactSet a = Derive(builder.capture);
  const FactSet b = Derive(builder.capture);
  ASSERT_EQ(a.facts().size(), b.facts().size());
  for (std::size_t i = 0; i < a.facts().size(); ++i) {
    EXPECT_EQ(a.facts()[i].id, b.facts()[i].id);
    EXPECT_EQ(a.facts()[i].value, b.facts()[i].value);
  }
}

}  // namespace
}  // namespace gpuwhy
