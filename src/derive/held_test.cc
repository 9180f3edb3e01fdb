#include "derive/held.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "derive/derive.h"
#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

using ::testing::HasSubstr;

/// The urgent ones, one after the other.
std::string Urgent(const FactSet& facts) {
  std::string said;
  for (const Blind& blind : facts.blinds) {
    if (blind.urgent) said += blind.what + ": " + blind.why + "; " + blind.how + "\n";
  }
  return said;
}

FactSet WithWorkersIn(const Doing& doing) {
  CaptureBuilder builder = PipeJob(2);
  builder.Looks(10, 10, 200, WaitsForPipe(builder));
  builder.Looks(11, 11, 200, doing).Looks(12, 12, 200, doing);
  builder.Used(10, 10, 0, 0, 0).Used(11, 11, 0, 0, 0).Used(12, 12, 0, 0, 0);
  builder.capture.processes[1].cgroups = {{kNoName, builder.Name("/docker/a b")}};
  return Derive(builder.capture);
}

TEST(Held, StoppedProcessesAreSaidAtOnceWithTheCommandThatLetsThemRun) {
  const std::string said = Urgent(WithWorkersIn(Blocked(Syscall::kRead, "do_signal_stop", 0, 'T')));
  EXPECT_THAT(said, HasSubstr("Processes 11 (python), 12 (python) are stopped"));
  EXPECT_THAT(said, HasSubstr("200 of 200 looks"));
  EXPECT_THAT(said, HasSubstr("grep -E 'State|TracerPid' /proc/11/status"));
  EXPECT_THAT(said, HasSubstr("kill -CONT 11 12"));
}

TEST(Held, ADebuggerIsNoStopSignal) {
  const std::string said = Urgent(WithWorkersIn(Blocked(Syscall::kRead, "ptrace_stop", 0, 't')));
  EXPECT_THAT(said, HasSubstr("held by a debugger"));
  EXPECT_THAT(said, ::testing::Not(HasSubstr("kill -CONT")));
}

TEST(Held, AFrozenGroupIsNamedWithItsSwitch) {
  const std::string said = Urgent(WithWorkersIn(Blocked(Syscall::kRead, "do_freezer_trap")));
  EXPECT_THAT(said, HasSubstr("are frozen with their control group"));
  EXPECT_THAT(said, HasSubstr("'/sys/fs/cgroup/docker/a b/cgroup.freeze'"));
}

TEST(Held, ABriefStopIsSaidButIsNoAlert) {
  CaptureBuilder builder = PipeJob(1);
  builder.Looks(10, 10, 200, WaitsForPipe(builder));
  builder.Looks(11, 11, 160, Running());
  for (std::uint32_t tick = 160; tick < 200; ++tick) {
    builder.Look(11, 11, tick, Blocked(Syscall::kRead, "do_signal_stop", 0, 'T'));
  }
  builder.Used(10, 10, 0, 0, 500).Used(11, 11, 9, 0, 0);
  const FactSet facts = Derive(builder.capture);
  EXPECT_EQ(Urgent(facts), "");
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_EQ(facts.blinds[0].what, "Process 11 (python) is stopped");
}

/// A shell that waits for its child, which is blocked in an open on /data; nobody gave a job.
CaptureBuilder HungChild() {
  CaptureBuilder builder(0);
  builder.capture.run.focused = {std::chrono::seconds(103)};
  builder.Process(10, 1, "bash");
  builder.Process(11, 10, "python");
  builder.MountAt(11, 40, "/data", "nfs4");
  builder.Looks(10, 10, 200, Blocked(Syscall::kWait4, "do_wait"));
  builder.Looks(
      11, 11, 200,
      Blocked(Syscall::kOpenat, "rpc_wait_bit_killable", builder.OnPath(11, "/data/a"), 'D'));
  builder.Used(10, 10, 0, 0, 0);
  return builder;
}

TEST(Held, WithoutAJobAProcessThatHangsOnAMountIsNamed) {
  CaptureBuilder builder = HungChild();
  builder.Used(11, 11, 0, 0, 0);
  const std::string said = Urgent(Derive(builder.capture));
  EXPECT_THAT(said, HasSubstr("Process 11 (python) hangs on /data (nfs4, server:/export)"));
  EXPECT_THAT(said, HasSubstr("opening"));
  EXPECT_THAT(said, HasSubstr("/data/a"));
  EXPECT_THAT(said, HasSubstr("grep State /proc/11/status"));
}

TEST(Held, OneThatGetsOnBetweenItsWaitsDoesNotHang) {
  CaptureBuilder builder = HungChild();
  builder.Used(11, 11, 0.1, 0, 900);
  EXPECT_EQ(Urgent(Derive(builder.capture)), "");
}

TEST(Held, AJobsOwnProcessThatHangsIsNamedTooAndALoaderIsNot) {
  CaptureBuilder builder = HungChild();
  builder.Used(11, 11, 0, 0, 0);
  builder.capture.run.job_pid = 11;
  EXPECT_THAT(Urgent(Derive(builder.capture)), HasSubstr("Process 11 (python) hangs"));
  CaptureBuilder fed = PipeJob(1);
  fed.MountAt(11, 40, "/data", "nfs4");
  fed.Looks(10, 10, 200, WaitsForPipe(fed));
  fed.Looks(11, 11, 200,
            Blocked(Syscall::kOpenat, "rpc_wait_bit_killable", fed.OnPath(11, "/data/a"), 'D'));
  fed.Used(10, 10, 0, 0, 0).Used(11, 11, 0, 0, 0);
  EXPECT_EQ(Urgent(Derive(fed.capture)), "");
}

TEST(Held, WithoutAnyCandidateAStoppedProcessIsTheAnswer) {
  CaptureBuilder builder(0);
  builder.capture.run.focused = {std::chrono::seconds(103)};
  builder.Process(10, 1, "bash");
  builder.Process(11, 10, "vim");
  builder.Looks(11, 11, 200, Blocked(Syscall::kPoll, "do_signal_stop", 0, 'T'));
  EXPECT_THAT(Urgent(Derive(builder.capture)), HasSubstr("Process 11 (vim) is stopped"));
}

}  // namespace
}  // namespace gpuwhy
