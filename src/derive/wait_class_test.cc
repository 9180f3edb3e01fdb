#include "derive/wait_class.h"

#include <gtest/gtest.h>

#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

WaitClass ClassOf(const Doing& doing, const WaitShape& shape = {}) {
  ThreadSample sample;
  sample.state = doing.state;
  sample.call_state = doing.call_state;
  sample.call = doing.call;
  sample.wchan_state = doing.wchan_state;
  return Classify(sample, FamilyOf(doing.wchan), shape);
}

WaitShape With(bool WaitShape::*flag) {
  WaitShape shape;
  shape.known = true;
  shape.*flag = true;
  return shape;
}

TEST(WaitClass, StorageInStateSIsStorage) {
  EXPECT_EQ(ClassOf(Blocked(Syscall::kOpenat, "request_wait_answer", 0, 'S')),
            WaitClass::kStorageOpen);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kIoUringEnter, "io_cqring_wait", 0, 'S')),
            WaitClass::kStorageAsync);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kNone, "request_wait_answer", 0, 'S')), WaitClass::kFault);
}

TEST(WaitClass, StateDWithoutStorageIsNotStorage) {
  EXPECT_EQ(ClassOf(Blocked(Syscall::kVfork, "kernel_clone", 0, 'D')), WaitClass::kChildWait);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kRead, "__refrigerator", 0, 'D')), WaitClass::kStopped);
}

TEST(WaitClass, AReadGoesByItsDescriptor) {
  const Doing read = Blocked(Syscall::kRead, "folio_wait_bit_common");
  EXPECT_EQ(ClassOf(read, With(&WaitShape::file)), WaitClass::kStorageRead);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kRead, "anon_pipe_read"), With(&WaitShape::queue)),
            WaitClass::kQueueRead);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kRead, "wait_woken"), With(&WaitShape::external)),
            WaitClass::kExternalRead);
}

TEST(WaitClass, WithoutADescriptorTheCallAndTheChannelDecide) {
  EXPECT_EQ(ClassOf(Blocked(Syscall::kPread, "new_name")), WaitClass::kStorageRead);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kRead, "folio_wait_bit_common")), WaitClass::kStorageRead);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kRead, "pipe_read")), WaitClass::kQueueRead);
}

TEST(WaitClass, APollWithDescriptorsIsAQueueAndWithoutATimer) {
  EXPECT_EQ(ClassOf(Blocked(Syscall::kPoll, "poll_schedule_timeout"), With(&WaitShape::queue)),
            WaitClass::kQueueRead);
  EXPECT_EQ(ClassOf(Blocked(Syscall::kPoll, "poll_schedule_timeout"), With(&WaitShape::timer)),
            WaitClass::kTimer);
}

TEST(WaitClass, AFutexIsPrivateUnlessItsMappingIsShared) {
  const Doing futex = Blocked(Syscall::kFutex, "futex_do_wait");
  EXPECT_EQ(ClassOf(futex), WaitClass::kPrivateFutex);
  EXPECT_EQ(ClassOf(futex, With(&WaitShape::shared_futex)), WaitClass::kQueueRead);
}

TEST(WaitClass, FilesThatDisagreeAreMixed) {
  Doing half = Running();
  half.state = 'D';
  EXPECT_EQ(ClassOf(half), WaitClass::kMixed);
  Doing woke = Blocked(Syscall::kPread, "");
  woke.state = 'R';
  woke.wchan_state = WchanState::kZero;
  EXPECT_EQ(ClassOf(woke), WaitClass::kMixed);
  woke.state = 'D';
  EXPECT_EQ(ClassOf(woke), WaitClass::kStorageRead) << "two of three say that it sleeps";
}

TEST(WaitClass, WithoutRightsASleeperIsUnseenAndARunnerRuns) {
  EXPECT_EQ(ClassOf(Denied()), WaitClass::kUnseen);
  Doing runs = Denied();
  runs.state = 'R';
  EXPECT_EQ(ClassOf(runs), WaitClass::kRun);
  Doing deep = Denied();
  deep.state = 'D';
  EXPECT_EQ(ClassOf(deep), WaitClass::kUnseen);
}

TEST(WaitClass, StoppedAndEndedThreads) {
  Doing stopped = Blocked(Syscall::kRead, "do_signal_stop");
  stopped.state = 'T';
  EXPECT_EQ(ClassOf(stopped), WaitClass::kStopped);
  Doing gone = Running();
  gone.call_state = SyscallState::kGone;
  EXPECT_EQ(ClassOf(gone), WaitClass::kGone);
}

}  // namespace
}  // namespace gpuwhy
