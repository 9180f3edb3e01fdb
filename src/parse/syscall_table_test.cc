#include "parse/syscall_table.h"

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/utsname.h>

namespace gpuwhy {
namespace {

TEST(SyscallTable, OneNumberMeansDifferentCallsOnDifferentMachines) {
  EXPECT_EQ(MeaningOf("x86_64", 0).call, Syscall::kRead);
  EXPECT_EQ(MeaningOf("aarch64", 63).call, Syscall::kRead);
  EXPECT_EQ(MeaningOf("x86_64", 63).call, Syscall::kOther);
  EXPECT_EQ(MeaningOf("x86_64", 202).call, Syscall::kFutex);
  EXPECT_EQ(MeaningOf("aarch64", 98).call, Syscall::kFutex);
  EXPECT_EQ(MeaningOf("aarch64", 98).shape, CallShape::kFutex);
  EXPECT_EQ(MeaningOf("x86_64", 257).shape, CallShape::kPathAt);
  EXPECT_EQ(MeaningOf("aarch64", 56).call, Syscall::kOpenat);
  EXPECT_EQ(MeaningOf("x86_64", 449).call, Syscall::kFutexWaitv) << "the last row";
}

TEST(SyscallTable, NoCallIsAPageFaultAndAnUnknownOneIsOther) {
  EXPECT_EQ(MeaningOf("x86_64", -1).call, Syscall::kNone);
  EXPECT_EQ(MeaningOf("x86_64", 100'000).call, Syscall::kOther);
  EXPECT_EQ(MeaningOf("s390x", 3).call, Syscall::kOther);
}

TEST(SyscallTable, TheRowsAgreeWithThisMachinesHeaders) {
  utsname name{};
  ASSERT_EQ(uname(&name), 0);
  const std::string_view machine = name.machine;
  if (machine != "x86_64" && machine != "aarch64") GTEST_SKIP() << "no table for " << machine;
  EXPECT_EQ(MeaningOf(machine, SYS_pread64).call, Syscall::kPread);
  EXPECT_EQ(MeaningOf(machine, SYS_ppoll).call, Syscall::kPpoll);
  EXPECT_EQ(MeaningOf(machine, SYS_epoll_pwait).call, Syscall::kEpollPwait);
  EXPECT_EQ(MeaningOf(machine, SYS_pselect6).call, Syscall::kPselect);
  EXPECT_EQ(MeaningOf(machine, SYS_semtimedop).call, Syscall::kSemtimedop);
  EXPECT_EQ(MeaningOf(machine, SYS_statx).call, Syscall::kStatx);
  EXPECT_EQ(MeaningOf(machine, SYS_io_uring_enter).call, Syscall::kIoUringEnter);
  EXPECT_EQ(MeaningOf(machine, SYS_clock_nanosleep).call, Syscall::kClockNanosleep);
  EXPECT_EQ(MeaningOf(machine, SYS_mq_timedreceive).call, Syscall::kMqTimedreceive);
  EXPECT_EQ(MeaningOf(machine, SYS_fdatasync).call, Syscall::kFdatasync);
}

}  // namespace
}  // namespace gpuwhy
