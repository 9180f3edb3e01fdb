#include "collect/procfs/wait_resolver.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#include "collect/procfs/fake_proc.h"

namespace gpuwhy {
namespace {

// Numbers of x86_64.
constexpr std::int64_t kRead = 0, kWrite = 1, kStat = 4, kPoll = 7, kSelect = 23, kNanosleep = 35,
                       kWait4 = 61, kSemop = 65, kFutex = 202, kEpollWait = 232, kOpenat = 257,
                       kNewfstatat = 262;
constexpr std::uint64_t kCwd = 0xFFFFFF9C;  // AT_FDCWD as the kernel prints it

class Resolver : public testing::Test {
 protected:
  Resolver() { proc.Add({.pid = 20}); }
  WaitDetail Resolve(std::int64_t number, std::array<std::uint64_t, 6> args) {
    BlockedCall call;
    call.state = BlockedCall::State::kInCall;
    call.number = number;
    call.args = args;
    const std::uint32_t id = resolver.Resolve(20, 20, call);
    return interner.DetailsFrom(0).at(id);
  }
  std::string Name(NameId id) { return interner.NamesFrom(0).at(id); }

  FakeProc proc;
  Interner interner;
  FdTable fds{proc.Get(), interner};
  RegionTable regions{proc.Get(), interner};
  WaitResolver resolver{proc.Get(), interner, fds, regions, "x86_64"};
};

TEST_F(Resolver, AReadLeadsToItsDescriptor) {
  proc.AddFd(20, 5, "pipe:[77]", "flags:\t0\nmnt_id:\t14\nino:\t77\n");
  const WaitDetail detail = Resolve(kRead, {5, 0x1000, 10});
  ASSERT_EQ(detail.fds.size(), 1U);
  EXPECT_EQ(Name(detail.fds[0].target), "pipe:[77]");
  EXPECT_EQ(detail.fds[0].access, FdAccess::kRead);
  EXPECT_EQ(detail.fds[0].inode, 77U);
  EXPECT_FALSE(detail.wants_write);
  EXPECT_TRUE(detail.resolved.has());
  EXPECT_TRUE(Resolve(kWrite, {5}).wants_write);
}

TEST_F(Resolver, AFileIsLookedAtEachTimeAPipeOnceASecond) {
  proc.AddFd(20, 5, "/data/a", "flags:\t0\nmnt_id:\t14\nino:\t1\n");
  proc.AddFd(20, 6, "pipe:[77]", "flags:\t0\n");
  EXPECT_EQ(Name(Resolve(kRead, {5}).fds[0].target), "/data/a");
  EXPECT_EQ(Name(Resolve(kRead, {6}).fds[0].target), "pipe:[77]");
  proc.AddFd(20, 5, "/data/b", "flags:\t0\nmnt_id:\t14\nino:\t2\n");
  proc.AddFd(20, 6, "pipe:[78]", "flags:\t0\n");
  EXPECT_EQ(Name(Resolve(kRead, {5}).fds[0].target), "/data/b");
  EXPECT_EQ(Name(Resolve(kRead, {6}).fds[0].target), "pipe:[77]");
  proc.clock.Advance(std::chrono::seconds(3));
  EXPECT_EQ(Name(Resolve(kRead, {6}).fds[0].target), "pipe:[78]");
}

TEST_F(Resolver, ADescriptorWithoutRightsIsMissingWithItsNumber) {
  proc.files.Fail("/proc/20/fd/5", EACCES);
  const WaitDetail detail = Resolve(kRead, {5});
  EXPECT_EQ(detail.resolved.missing().why, Why::kNoPermission);
  ASSERT_EQ(detail.fds.size(), 1U);
  EXPECT_EQ(detail.fds[0].fd, 5);
  EXPECT_EQ(detail.fds[0].target, kNoName);
}

TEST_F(Resolver, PathsAreMadeAbsolute) {
  proc.memory.Set(20, 0x1000, std::string("/data/x\0junk", 12));
  proc.memory.Set(20, 0x2000, std::string("x\n\x1b[31m\0", 9));
  proc.files.SetLink("/proc/20/cwd", "/srv/job");
  proc.AddFd(20, 7, "/data", "flags:\t0200000\n");
  EXPECT_EQ(Name(Resolve(kOpenat, {kCwd, 0x1000}).path), "/data/x");
  EXPECT_EQ(Name(Resolve(kOpenat, {kCwd, 0x2000}).path), "/srv/job/x\n\x1b[31m") << "kept as it is";
  EXPECT_EQ(Name(Resolve(kOpenat, {7, 0x2000}).path), "/data/x\n\x1b[31m");
  EXPECT_EQ(Name(Resolve(kStat, {0x2000}).path), "/srv/job/x\n\x1b[31m");
}

TEST_F(Resolver, AnEmptyPathIsTheDescriptorItself) {
  proc.memory.Set(20, 0x1000, std::string(1, '\0'));
  proc.AddFd(20, 7, "/data/a", "flags:\t0\n");
  const WaitDetail detail = Resolve(kNewfstatat, {7, 0x1000});
  EXPECT_EQ(detail.path, kNoName);
  ASSERT_EQ(detail.fds.size(), 1U);
  EXPECT_EQ(Name(detail.fds[0].target), "/data/a");
}

TEST_F(Resolver, APathThatCannotBeReadSaysWhy) {
  EXPECT_EQ(Resolve(kStat, {0x1000}).resolved.missing().why, Why::kNotPresent);
  proc.memory.Set(20, 0x1000, std::string(5000, 'a'));
  EXPECT_EQ(Resolve(kStat, {0x1000}).resolved.missing().why, Why::kFailed) << "has no end";
  proc.memory.Fail(20, EPERM);
  EXPECT_EQ(Resolve(kStat, {0x1000}).resolved.missing().why, Why::kNoPermission);
}

std::string PollEntry(std::int32_t fd, std::int16_t events) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &fd, 4);
  std::memcpy(bytes.data() + 4, &events, 2);
  return bytes;
}

TEST_F(Resolver, APollNamesItsDescriptors) {
  proc.AddFd(20, 5, "pipe:[77]", "flags:\t0\n");
  proc.AddFd(20, 6, "socket:[78]", "flags:\t02\n");
  proc.memory.Set(20, 0x1000, PollEntry(5, 1) + PollEntry(-1, 1) + PollEntry(6, 5));
  const WaitDetail detail = Resolve(kPoll, {0x1000, 3, 5000});
  ASSERT_EQ(detail.fds.size(), 2U);
  EXPECT_EQ(detail.fds[1].fd, 6);
  EXPECT_FALSE(detail.wants_write);
  EXPECT_FALSE(detail.timer_only) << "a timeout with descriptors is a queue wait";
  proc.memory.Set(20, 0x2000, PollEntry(6, 4));
  EXPECT_TRUE(Resolve(kPoll, {0x2000, 1}).wants_write);
  EXPECT_TRUE(Resolve(kPoll, {0, 0, 100}).timer_only);
}

TEST_F(Resolver, AHugePollIsCutOff) {
  std::string entries;
  for (std::int32_t fd = 0; fd < 300; ++fd) entries += PollEntry(fd, 1);
  proc.memory.Set(20, 0x1000, entries);
  EXPECT_EQ(Resolve(kPoll, {0x1000, 0xFFFFFFFFFF}).fds.size(), 256U);
}

TEST_F(Resolver, ASelectNamesTheBitsOfItsSets) {
  proc.AddFd(20, 9, "pipe:[77]", "flags:\t0\n");
  proc.memory.Set(20, 0x1000, std::string("\x00\x02", 2));
  const WaitDetail reads = Resolve(kSelect, {10, 0x1000, 0, 0});
  ASSERT_EQ(reads.fds.size(), 1U);
  EXPECT_EQ(reads.fds[0].fd, 9);
  EXPECT_FALSE(reads.wants_write);
  EXPECT_TRUE(Resolve(kSelect, {10, 0, 0x1000, 0}).wants_write);
  EXPECT_TRUE(Resolve(kSelect, {0, 0, 0, 0}).timer_only);
  EXPECT_TRUE(Resolve(kSelect, {9, 0x1000, 0, 0}).timer_only) << "the bit is beyond the highest";
}

TEST_F(Resolver, AnEpollNamesItsTargets) {
  proc.AddFd(20, 4, "anon_inode:[eventpoll]", "flags:\t02\ntfd:        5 events: 19 data: 5\n");
  proc.AddFd(20, 5, "socket:[78]", "flags:\t02\n");
  const WaitDetail detail = Resolve(kEpollWait, {4, 0x1000, 16});
  ASSERT_EQ(detail.fds.size(), 1U);
  EXPECT_EQ(Name(detail.fds[0].target), "socket:[78]");
}

TEST_F(Resolver, AFutexIsPrivateByItsFlagOrByItsMapping) {
  proc.files.Set(
      "/proc/20/maps",
      "7f0000001000-7f0000002000 rw-s 00000000 00:01 5        /dev/shm/sem.q (deleted)\n");
  EXPECT_TRUE(Resolve(kFutex, {0x7f0000001010, 128}).futex_private);
  const WaitDetail shared = Resolve(kFutex, {0x7f0000001010, 0});
  EXPECT_FALSE(shared.futex_private);
  EXPECT_EQ(shared.futex_address.ValueOr(0), 0x7f0000001010U);
  EXPECT_TRUE(Resolve(kFutex, {0x5000, 0}).futex_private) << "nobody shares that page";
  const std::uint64_t reads = proc.files.Reads("/proc/20/maps");
  proc.clock.Advance(std::chrono::seconds(10));
  EXPECT_TRUE(Resolve(kFutex, {0x5008, 0}).futex_private);
  EXPECT_EQ(proc.files.Reads("/proc/20/maps"), reads) << "once for each page";
}

TEST_F(Resolver, AFutexWhoseMappingsAreDeniedIsNotCalledPrivate) {
  proc.files.Fail("/proc/20/maps", EACCES);
  const WaitDetail detail = Resolve(kFutex, {0x5000, 0});
  EXPECT_FALSE(detail.futex_private);
  EXPECT_EQ(detail.resolved.missing().why, Why::kNoPermission);
}

TEST_F(Resolver, TimersIdsAndCallsWithoutObject) {
  EXPECT_TRUE(Resolve(kNanosleep, {}).timer_only);
  EXPECT_EQ(Resolve(kSemop, {3}).sysv_id.ValueOr(-1), 3);
  EXPECT_EQ(Resolve(kWait4, {}), WaitDetail{});
}

}  // namespace
}  // namespace gpuwhy
