#include "os/real_kernel_ipc.h"

#include <gtest/gtest.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace gpuwhy {
namespace {

std::uint64_t InodeOf(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_ino : 0;
}

TEST(RealKernelIpc, KnowsBothEndsOfASocketPair) {
  std::array<int, 2> ends{-1, -1};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  RealKernelIpc ipc;
  const Result<std::vector<UnixPeer>> peers = ipc.UnixPeers();
  const std::uint64_t first = InodeOf(ends[0]);
  const std::uint64_t second = InodeOf(ends[1]);
  ::close(ends[0]);
  ::close(ends[1]);
  if (!peers) GTEST_SKIP() << "this kernel lists no Unix sockets: " << peers.error().Text();
  const auto mine = std::find_if(peers->begin(), peers->end(),
                                 [&](const UnixPeer& peer) { return peer.inode == first; });
  ASSERT_NE(mine, peers->end());
  EXPECT_EQ(mine->peer_inode, second);
  EXPECT_FALSE(mine->listening);
}

TEST(RealKernelIpc, KnowsWhoUsedASemaphoreLast) {
  const int id = ::semget(IPC_PRIVATE, 1, 0600);
  if (id < 0) GTEST_SKIP() << "no System V semaphores here";
  sembuf post{0, 1, 0};
  ASSERT_EQ(::semop(id, &post, 1), 0);
  RealKernelIpc ipc;
  const Result<std::int32_t> pid = ipc.SysvSemLastPid(id, 0);
  const Result<std::int32_t> beyond = ipc.SysvSemLastPid(id, 5);
  ASSERT_EQ(::semctl(id, 0, IPC_RMID), 0);
  EXPECT_EQ(*pid, ::getpid());
  EXPECT_EQ(beyond.error().sys_errno, EINVAL);
}

}  // namespace
}  // namespace gpuwhy
