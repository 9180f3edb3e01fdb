#include "derive/blinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "derive/derive.h"
#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

TEST(Blinds, AConsumerInALockIsNotPassedOverInSilence) {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "train");
  builder.Looks(10, 10, 200, Blocked(Syscall::kFlock, "locks_lock_inode_wait"));
  builder.Used(10, 10, 0, 0, 0);
  const FactSet facts = Derive(builder.capture);
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_EQ(facts.blinds[0].what, "what process 10 waits for");
}

TEST(Blinds, ASystemVWaitThatCannotBeProvenSaysWhy) {
  for (const bool asked : {true, false}) {
    CaptureBuilder builder = PipeJob(1);
    const std::uint32_t detail = builder.OnPath(10, "");
    builder.capture.details[detail].sysv_id = 4;
    if (!asked)
      builder.capture.details[detail].resolved = Missing{Why::kNoPermission, "semctl(4, 0)"};
    builder.Looks(10, 10, 200, Blocked(Syscall::kSemop, "__do_semtimedop", detail));
    builder.Looks(11, 11, 200, Running()).Used(10, 10, 0, 0, 500).Used(11, 11, 9, 0, 100);
    builder.capture.sysv_users = {{{}, SysvKind::kSemaphore, 4, 10}};
    const FactSet facts = Derive(builder.capture);
    ASSERT_FALSE(facts.blinds.empty());
    EXPECT_NE(facts.blinds[0].why.find(asked ? "System V object 4" : "semctl(4, 0)"),
              std::string::npos)
        << facts.blinds[0].why;
  }
}

TEST(Blinds, AProcessThatWasNamedAndNeverSeenIsNoSilentYes) {
  const FactSet facts = Derive(CaptureBuilder(4242).capture);
  EXPECT_TRUE(facts.nothing_seen);
  EXPECT_EQ(facts.asked_pid, 4242);
}

TEST(Blinds, SourcesThatNeverAnsweredSawNothing) {
  CaptureBuilder builder(0);
  builder.capture.sources.resize(2);
  EXPECT_TRUE(Derive(builder.capture).nothing_seen);
  builder.capture.sources[1].answered = 1;
  EXPECT_FALSE(Derive(builder.capture).nothing_seen);
}

TEST(Blinds, WithoutAJobItIsSaidThatProcessesAreHidden) {
  CaptureBuilder builder(0);
  SourceReport source;
  source.name = "job";
  source.answered = 3;
  source.missing = {{Why::kNoPermission, "/proc is mounted with hidepid"}};
  builder.capture.sources.push_back(source);
  FactSet facts = Derive(builder.capture);
  ASSERT_FALSE(facts.blinds.empty());
  EXPECT_NE(facts.blinds[0].why.find("hidepid"), std::string::npos);
  EXPECT_FALSE(facts.nothing_seen);
  builder.capture.sources[0].missing = {{Why::kNotPresent, "/proc shows no process"}};
  EXPECT_TRUE(Derive(builder.capture).nothing_seen);
}

/// Without --pid; what the source of jobs says.
CaptureBuilder NobodyFound(std::vector<Missing> missing) {
  CaptureBuilder builder(0);
  builder.Process(10, 1, "bash");
  builder.capture.sources.resize(1);
  builder.capture.sources[0].name = "job";
  builder.capture.sources[0].answered = 9;
  builder.capture.sources[0].missing = std::move(missing);
  return builder;
}

const Blind* Hidden(const FactSet& facts) {
  const auto found = std::find_if(facts.blinds.begin(), facts.blinds.end(), [](const Blind& b) {
    return b.what == "some of this host's processes";
  });
  return found == facts.blinds.end() ? nullptr : &*found;
}

TEST(Blinds, OnlyALackOfRightsIsMendedByRights) {
  CaptureBuilder builder = NobodyFound({{Why::kNoPermission, "hidepid"}});
  builder.capture.run.uid = 1000;
  FactSet facts = Derive(builder.capture);
  ASSERT_NE(Hidden(facts), nullptr);
  EXPECT_EQ(Hidden(facts)->how.find("run as root"), 0U) << Hidden(facts)->how;
  builder.capture.run.uid = 0;
  facts = Derive(builder.capture);
  EXPECT_EQ(Hidden(facts)->how.find("run on the host itself"), 0U) << Hidden(facts)->how;
  facts = Derive(NobodyFound({{Why::kNotSampled, "looked at every 470 ms"}}).capture);
  ASSERT_NE(Hidden(facts), nullptr);
  EXPECT_NE(Hidden(facts)->how.find("--duration"), std::string::npos);
  facts = Derive(NobodyFound({{Why::kNotPresent, "/proc/16827/syscall"}}).capture);
  EXPECT_EQ(Hidden(facts), nullptr) << "a process that ended hides nothing";
}

TEST(Blinds, ACandidateThatWasNotChosenIsNotSaidToHaveEnded) {
  CaptureBuilder builder = PipeJob(1);
  builder.capture.run.job_pid = builder.capture.run.focus_pid = 0;
  builder.capture.run.focused = {};
  const Doing waits = WaitsForPipe(builder);
  for (std::uint32_t tick = 0; tick < 100; ++tick)
    builder.Look(10, 10, tick, tick % 10 == 0 ? waits : Running());
  builder.Looks(11, 11, 100, Running()).Used(10, 10, 9, 0, 200).Used(11, 11, 9, 0, 200);
  const FactSet facts = Derive(builder.capture);
  ASSERT_EQ(facts.jobs.size(), 1U);
  EXPECT_FALSE(facts.job_ended);
  EXPECT_NE(facts.blinds[0].why.find("looks little like a job: 10 %"), std::string::npos)
      << facts.blinds[0].why;
}

TEST(Blinds, AJobThatWasChosenAndNotLookedAtEndedOnlyIfTheKernelSaysSo) {
  CaptureBuilder builder(0);
  builder.Process(10, 1, "train");
  builder.capture.run.focus_pid = 10;
  builder.capture.sources.resize(1);
  builder.capture.sources[0].name = "job";
  builder.capture.sources[0].answered = 9;
  FactSet facts = Derive(builder.capture);
  EXPECT_TRUE(facts.nothing_seen);
  EXPECT_TRUE(facts.few_looks);
  EXPECT_FALSE(facts.job_ended);
  builder.capture.sources[0].missing = {{Why::kNotPresent, "process 10: it has ended"}};
  EXPECT_TRUE(Derive(builder.capture).job_ended);
}

TEST(Blinds, PressureThatMayNotBeReadIsNoMatterOfTheKernel) {
  CaptureBuilder builder(0);
  SourceReport source;
  source.name = "psi";
  for (const auto& [why, advice] :
       {std::pair{Why::kNoPermission, "run as root"}, std::pair{Why::kNotPresent, "subset=pid"},
        std::pair{Why::kNotSupported, "psi=1"}}) {
    source.missing = {{why, "/proc/pressure/cpu"}};
    builder.capture.sources = {source};
    std::string how;
    for (const Blind& blind : Derive(builder.capture).blinds) {
      if (blind.what.find("waited for CPU") != std::string::npos) how = blind.how;
    }
    EXPECT_NE(how.find(advice), std::string::npos) << how;
  }
}

}  // namespace
}  // namespace gpuwhy
