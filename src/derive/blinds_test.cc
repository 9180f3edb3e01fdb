#include "derive/blinds.h"

#include <gtest/gtest.h>

#include <string>

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

}  // namespace
}  // namespace gpuwhy
