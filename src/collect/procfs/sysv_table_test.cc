#include "collect/procfs/sysv_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "collect/procfs/fake_proc.h"
#include "os/real_recorded_root.h"

namespace gpuwhy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Sysv : public testing::Test {
 protected:
  Sysv() {
    proc.files.SetLink("/proc/self/ns/ipc", "ipc:[1]");
    proc.files.SetLink("/proc/20/ns/ipc", "ipc:[1]");
    proc.files.Set("/proc/sysvipc/sem", "key semid perms nsems\n0 3 600 2\n");
    proc.files.Set("/proc/sysvipc/msg",
                   "key msqid perms cbytes qnum lspid lrpid\n0 7 600 0 0 31 20\n");
  }
  std::vector<std::int32_t> Users() {
    std::vector<std::int32_t> pids;
    for (const SysvUser& user : table.TakeNew()) pids.push_back(user.pid);
    return pids;
  }

  FakeProc proc;
  SysvTable table{proc.Get()};
};

TEST_F(Sysv, EachWorkerThatComesByIsNotedOnce) {
  proc.ipc.SetLastPid(3, 0, 20);
  for (const std::int32_t worker : {31, 32, 31}) {
    proc.ipc.SetLastPid(3, 1, worker);
    EXPECT_TRUE(table.Look(20, SysvKind::kSemaphore, 3).has());
    proc.clock.Advance(std::chrono::milliseconds(50));
  }
  EXPECT_THAT(Users(), ElementsAre(20, 31, 32));
  EXPECT_THAT(Users(), IsEmpty());
}

TEST_F(Sysv, AQueueShowsItsLastSenderAndReceiver) {
  EXPECT_TRUE(table.Look(20, SysvKind::kQueue, 7).has());
  EXPECT_THAT(Users(), ElementsAre(31, 20));
}

TEST_F(Sysv, SemaphoresThatMayNotBeReadAreSaidToBe) {
  proc.files.Set("/proc/sysvipc/sem", "0 3 600 1\n");
  EXPECT_EQ(table.Look(20, SysvKind::kSemaphore, 3).missing().why, Why::kFailed) << "EINVAL";
  EXPECT_THAT(Users(), IsEmpty());
}

TEST_F(Sysv, AnIdOfAnotherIpcNamespaceIsSomebodyElses) {
  proc.files.SetLink("/proc/20/ns/ipc", "ipc:[2]");
  proc.ipc.SetLastPid(3, 0, 77);
  proc.ipc.SetLastPid(3, 1, 77);
  const Reading<bool> seen = table.Look(20, SysvKind::kSemaphore, 3);
  ASSERT_FALSE(seen.has());
  EXPECT_EQ(seen.missing().why, Why::kNotSupported);
  EXPECT_THAT(Users(), IsEmpty());
}

TEST_F(Sysv, WhatProcDoesNotListIsNotPresent) {
  EXPECT_EQ(table.Look(20, SysvKind::kSemaphore, 4).missing().why, Why::kNotPresent);
  EXPECT_EQ(table.Look(20, SysvKind::kQueue, 4).missing().why, Why::kNotPresent);
}

TEST(SysvOnARecordedRoot, SemaphoresCannotBeAskedAndTheReasonIsGiven) {
  const RecordedRoot root;
  root.Link("/proc/self/ns/ipc", "ipc:[1]");
  root.Link("/proc/20/ns/ipc", "ipc:[1]");
  root.Set("/proc/sysvipc/sem", "0 3 600 1\n");
  root.Set("/proc/sysvipc/msg", "0 7 600 0 0 31 20\n");
  const HostEdge edge = root.Edge();
  SysvTable table(edge.Get());
  EXPECT_EQ(table.Look(20, SysvKind::kSemaphore, 3).missing().why, Why::kNotSupported);
  EXPECT_TRUE(table.Look(20, SysvKind::kQueue, 7).has()) << "a file tells who used it";
}

}  // namespace
}  // namespace gpuwhy
