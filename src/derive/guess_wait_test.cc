// An ordinary user under Yama's ptrace_scope 1: wait channels and descriptors, no system calls.
#include <gtest/gtest.h>

#include "derive/derive.h"
#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

const Subject kTheJob{SubjectKind::kJob, "10"};

/// The pipe job with two loaders that read files; nothing but wait channels may be read.
class HiddenCalls {
 public:
  explicit HiddenCalls(const std::string& trainers_channel = "anon_pipe_read")
      : builder(PipeJob(2)) {
    for (ProcessSeen& process : builder.capture.processes) {
      process.uid = 1000;
      process.waits_visible = Missing{Why::kNoPermission, "/proc/10/syscall"};
    }
    builder.capture.run.uid = 1000;
    builder.capture.run.ptrace_scope = 1U;
    builder.Looks(10, 10, 200, InChannel(trainers_channel)).Used(10, 10, 0, 0, 500);
    for (int pid = 11; pid <= 12; ++pid) {
      builder.Looks(pid, pid, 200, InChannel("folio_wait_bit_common", 'D'));
      builder.Used(pid, pid, 0.4, 0, 900);
    }
  }
  [[nodiscard]] FactSet Facts() const { return Derive(builder.capture); }

  CaptureBuilder builder;
};

const Blind* BlindWith(const FactSet& facts, const std::string& how) {
  for (const Blind& blind : facts.blinds) {
    if (blind.how.find(how) != std::string::npos) return &blind;
  }
  return nullptr;
}

TEST(GuessedWaits, TheFillersAreFoundByChannelAndDescriptors) {
  const FactSet facts = HiddenCalls().Facts();
  EXPECT_NEAR(facts.Number(FactId::kConsumerWait, kTheJob).ValueOr(-1), 1, 1e-9);
  EXPECT_NEAR(facts.Number(FactId::kFillersReadWait, kTheJob).ValueOr(-1), 1, 1e-9);
  EXPECT_GT(facts.Number(FactId::kGainStorage, kTheJob).ValueOr(-1), 0.9);
  ASSERT_EQ(facts.jobs.size(), 1U);
  EXPECT_EQ(facts.jobs[0].filler_pids, (std::vector<std::int32_t>{11, 12}));
  ASSERT_FALSE(facts.wait_chain.empty());
  EXPECT_EQ(facts.wait_chain[0].proof, "candidate");
}

TEST(GuessedWaits, OpensAndReadsAreNotToldApart) {
  const FactSet facts = HiddenCalls().Facts();
  const Reading<double> open = facts.Number(FactId::kGainStorageOpen, kTheJob);
  ASSERT_FALSE(open.has());
  EXPECT_EQ(open.missing().why, Why::kNoPermission);
}

TEST(GuessedWaits, WhatIsHiddenIsSaidWithTheCommandThatShowsIt) {
  const FactSet facts = HiddenCalls().Facts();
  const Blind* blind = BlindWith(facts, "sudo sysctl kernel.yama.ptrace_scope=0");
  ASSERT_NE(blind, nullptr);
  EXPECT_NE(blind->how.find("sudo gpuwhy diagnose --pid 10"), std::string::npos) << blind->how;
  EXPECT_EQ(blind->how.find("as the job's user"), std::string::npos) << "he is that user";
}

TEST(GuessedWaits, AnotherUserIsToldWhoMaySee) {
  HiddenCalls job;
  job.builder.capture.run.uid = 1001;
  EXPECT_NE(BlindWith(job.Facts(), "as the job's user"), nullptr);
}

TEST(GuessedWaits, WhereNobodyMayLookSudoIsNotTheAdvice) {
  HiddenCalls job;
  job.builder.capture.run.ptrace_scope = 3U;
  const FactSet facts = job.Facts();
  EXPECT_NE(BlindWith(facts, "ptrace_scope is 3"), nullptr);
  EXPECT_EQ(BlindWith(facts, "sudo"), nullptr);
}

TEST(GuessedWaits, APollMayBeOnAnyOfItsPipes) {
  HiddenCalls job("poll_schedule_timeout");
  job.builder.Fd(10, 8, "socket:[5]", FdAccess::kBoth);
  EXPECT_NEAR(job.Facts().Number(FactId::kConsumerWait, kTheJob).ValueOr(-1), 1, 1e-9);
}

TEST(GuessedWaits, OfAFutexNothingIsGuessed) {
  HiddenCalls job("futex_do_wait");
  const Reading<double> wait = job.Facts().Number(FactId::kConsumerWait, kTheJob);
  ASSERT_FALSE(wait.has());
  EXPECT_EQ(wait.missing().why, Why::kNoPermission);
}

TEST(GuessedWaits, AnIdleFarEndStarvesNobody) {
  HiddenCalls job;
  for (ThreadSample& sample : job.builder.capture.thread_samples) {
    if (sample.pid != 10) sample.wchan = job.builder.Name("hrtimer_nanosleep");
  }
  EXPECT_NE(job.Facts().Number(FactId::kConsumerWait, kTheJob).ValueOr(0), 1);
}

TEST(GuessedWaits, WithoutDescriptorsTheWaitStaysUnseen) {
  HiddenCalls job;
  job.builder.capture.fds.clear();
  EXPECT_FALSE(job.Facts().Number(FactId::kConsumerWait, kTheJob).has());
}

}  // namespace
}  // namespace gpuwhy
