#include "derive/objects.h"

#include <gtest/gtest.h>

#include "derive/test_capture.h"

namespace gpuwhy {
namespace {

/// The pids that can end the wait of pid 10 with this detail, everybody being of the job.
std::vector<std::int32_t> FillersOf(const Capture& capture, std::uint32_t detail) {
  const ProcessTable processes(capture);
  const ObjectIndex objects(capture, processes, std::vector<bool>(processes.size(), true));
  std::vector<std::int32_t> pids;
  for (const FarEnd& end : objects.Wait(detail).fillers) {
    pids.push_back(processes.Pid(end.process));
  }
  return pids;
}

WaitShape ShapeOf(const Capture& capture, std::uint32_t detail) {
  const ProcessTable processes(capture);
  const ObjectIndex objects(capture, processes, std::vector<bool>(processes.size(), true));
  return objects.Wait(detail).shape;
}

CaptureBuilder TwoProcesses() {
  CaptureBuilder builder(10);
  builder.Process(10, 1, "a");
  builder.Process(11, 10, "b");
  return builder;
}

using Pids = std::vector<std::int32_t>;

TEST(Objects, APipesFarEndIsWhoHoldsTheOtherAccess) {
  CaptureBuilder builder = TwoProcesses();
  builder.Process(12, 10, "reader");
  builder.Fd(11, 4, "pipe:[5]", FdAccess::kWrite).Fd(12, 4, "pipe:[5]", FdAccess::kRead);
  const std::uint32_t detail = builder.OnFd(10, 3, "pipe:[5]");
  builder.Look(10, 10, 0, Blocked(Syscall::kRead, "pipe_read", detail));
  EXPECT_EQ(FillersOf(builder.capture, detail), Pids{11});
}

TEST(Objects, UnixAndTcpSocketsAreMatchedByPeerInode) {
  for (const SocketKind kind : {SocketKind::kUnix, SocketKind::kTcp}) {
    CaptureBuilder builder = TwoProcesses();
    builder.Socket(100, kind).peer_inode = 200;
    builder.Socket(200, kind).peer_inode = 100;
    builder.Fd(11, 4, "socket:[200]", FdAccess::kBoth);
    const std::uint32_t detail = builder.OnFd(10, 3, "socket:[100]", FdAccess::kBoth);
    builder.Look(10, 10, 0, Blocked(Syscall::kRecvfrom, "wait_woken", detail));
    EXPECT_EQ(FillersOf(builder.capture, detail), Pids{11});
  }
}

TEST(Objects, APeerOutsideTheJobMakesARequestOrACall) {
  CaptureBuilder builder = TwoProcesses();
  SocketSeen& served = builder.Socket(100, SocketKind::kTcp);
  served.server_side = true;
  served.remote = builder.Name("10.0.0.9:4000");
  builder.Socket(101, SocketKind::kTcp).remote = builder.Name("10.0.0.1:443");
  const std::uint32_t server = builder.OnFd(10, 3, "socket:[100]", FdAccess::kBoth);
  const std::uint32_t client = builder.OnFd(10, 4, "socket:[101]", FdAccess::kBoth);
  builder.Look(10, 10, 0, Blocked(Syscall::kRecvfrom, "wait_woken", server));
  builder.Look(10, 10, 1, Blocked(Syscall::kRecvfrom, "wait_woken", client));
  EXPECT_TRUE(ShapeOf(builder.capture, server).requests);
  EXPECT_TRUE(ShapeOf(builder.capture, client).client);
}

TEST(Objects, EventfdsAreMatchedByTheirIdNotTheirLink) {
  CaptureBuilder builder = TwoProcesses();
  builder.Process(12, 10, "other");
  builder.Fd(11, 4, "anon_inode:[eventfd]", FdAccess::kBoth);
  builder.capture.fds.back().ref.eventfd_id = 8;
  builder.Fd(12, 4, "anon_inode:[eventfd]", FdAccess::kBoth);
  builder.capture.fds.back().ref.eventfd_id = 9;
  const std::uint32_t detail = builder.OnFd(10, 3, "anon_inode:[eventfd]", FdAccess::kBoth);
  builder.capture.details[detail].fds[0].eventfd_id = 8;
  builder.Look(10, 10, 0, Blocked(Syscall::kRead, "do_wait_intr_irq", detail));
  EXPECT_EQ(FillersOf(builder.capture, detail), Pids{11});
}

TEST(Objects, AFifoIsToldFromAFileByItsChannel) {
  CaptureBuilder builder = TwoProcesses();
  builder.Fd(11, 4, "/tmp/fifo", FdAccess::kWrite);
  const std::uint32_t detail = builder.OnFd(10, 3, "/tmp/fifo");
  builder.Look(10, 10, 0, Blocked(Syscall::kRead, "anon_pipe_read", detail));
  EXPECT_EQ(FillersOf(builder.capture, detail), Pids{11});
  EXPECT_FALSE(ShapeOf(builder.capture, detail).file);
}

TEST(Objects, ASharedMappingThatIsNotWaitedOnIsNoEdge) {
  CaptureBuilder builder = TwoProcesses();
  builder.Mapping(10, 0x1000, 5, "/usr/lib/gconv-modules.cache");
  builder.Mapping(11, 0x1000, 5, "/usr/lib/gconv-modules.cache");
  const std::uint32_t detail = builder.OnFutex(10, 0x9000, false);
  builder.Look(10, 10, 0, Blocked(Syscall::kFutex, "futex_do_wait", detail));
  EXPECT_TRUE(FillersOf(builder.capture, detail).empty());
  EXPECT_FALSE(ShapeOf(builder.capture, detail).shared_futex);
}

TEST(Objects, SysvUsersThatNeverWaitAreTheFarEnd) {
  CaptureBuilder builder(10);
  for (const int pid : {10, 11, 12}) builder.Process(pid, pid == 10 ? 1 : 10, "python");
  const std::uint32_t mine = builder.OnNothing(10);
  builder.capture.details[mine].timer_only = false;
  builder.capture.details[mine].sysv_id = 4;
  builder.Look(10, 10, 0, Blocked(Syscall::kSemtimedop, "do_semtimedop", mine));
  builder.capture.sysv_users = {{{}, SysvKind::kSemaphore, 4, 11},
                                {{}, SysvKind::kSemaphore, 4, 10},
                                {{}, SysvKind::kQueue, 4, 12},
                                {{}, SysvKind::kSemaphore, 5, 12}};
  const ProcessTable processes(builder.capture);
  const ObjectIndex index(builder.capture, processes, std::vector<bool>(3, true));
  const ResolvedWait& wait = index.Wait(mine);
  EXPECT_TRUE(wait.shape.queue);
  ASSERT_EQ(wait.fillers.size(), 1U);
  EXPECT_EQ(processes.Pid(wait.fillers[0].process), 11);
}

TEST(Objects, SysvSemaphoresAreMatchedAmongThoseSeenWaiting) {
  CaptureBuilder builder = TwoProcesses();
  const std::uint32_t mine = builder.OnPath(10, "");
  const std::uint32_t other = builder.OnFutex(11, 1, true);
  builder.capture.details[mine].sysv_id = 4;
  builder.capture.details[other].sysv_id = 4;
  builder.Look(10, 10, 0, Blocked(Syscall::kSemtimedop, "__do_semtimedop", mine));
  builder.Look(11, 11, 0, Blocked(Syscall::kSemtimedop, "__do_semtimedop", other));
  EXPECT_EQ(FillersOf(builder.capture, mine), Pids{11});
}

TEST(Objects, DeviceNodesAndTerminalsAreNoFiles) {
  CaptureBuilder builder = TwoProcesses();
  const std::uint32_t gpu = builder.OnFd(10, 3, "/dev/nvidia0");
  const std::uint32_t terminal = builder.OnFd(10, 0, "/dev/pts/3");
  const std::uint32_t disk = builder.OnFd(10, 4, "/dev/nvme0n1");
  for (const std::uint32_t detail : {gpu, terminal, disk}) {
    builder.Look(10, 10, detail, Blocked(Syscall::kRead, "x", detail));
  }
  EXPECT_TRUE(ShapeOf(builder.capture, gpu).device);
  EXPECT_TRUE(ShapeOf(builder.capture, terminal).external);
  EXPECT_TRUE(ShapeOf(builder.capture, disk).file);
}

TEST(InodeOfLink, ReadsOnlyItsOwnForm) {
  EXPECT_EQ(InodeOfLink("pipe:[42]", "pipe:["), 42U);
  EXPECT_EQ(InodeOfLink("socket:[42]", "pipe:["), 0U);
  EXPECT_EQ(InodeOfLink("pipe:[42", "pipe:["), 0U);
  EXPECT_EQ(InodeOfLink("pipe:[", "pipe:["), 0U);
  EXPECT_EQ(InodeOfLink("pipe:[x]", "pipe:["), 0U);
}

}  // namespace
}  // namespace gpuwhy
