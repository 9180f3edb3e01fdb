// The descriptor, mapping, socket, namespace and cgroup tables, and the pacer.
#include <gtest/gtest.h>

#include <cerrno>

#include "collect/procfs/cgroup_reader.h"
#include "collect/procfs/fake_proc.h"
#include "collect/procfs/fd_table.h"
#include "collect/procfs/namespace_table.h"
#include "collect/procfs/pacer.h"
#include "collect/procfs/region_table.h"
#include "collect/procfs/socket_table.h"

namespace gpuwhy {
namespace {

TEST(FdTable, OnlyWhatIsNewIsGivenOut) {
  FakeProc proc;
  Interner interner;
  FdTable table(proc.Get(), interner);
  proc.Add({.pid = 20});
  proc.AddFd(20, 5, "socket:[77]", "flags:\t02\n");
  proc.AddFd(20, 6, "/dev/nvidia0", "flags:\t02\n");
  EXPECT_TRUE(*table.Refresh(20));
  EXPECT_EQ(table.TakeNew().size(), 3U);
  EXPECT_EQ(table.Sockets(), (std::set<std::uint64_t>{77}));
  EXPECT_TRUE(table.HoldsGpu(20));
  EXPECT_FALSE(table.TakeSurprise()) << "a survey is no surprise";
  proc.clock.Advance(std::chrono::seconds(2));
  EXPECT_TRUE(*table.Refresh(20));
  EXPECT_TRUE(table.TakeNew().empty());
  proc.files.Remove("/proc/20/fd/5");
  EXPECT_TRUE(*table.Refresh(20));
  EXPECT_TRUE(table.Sockets().empty());
}

TEST(FdTable, APipeThatAWaitShowsFirstIsASurprise) {
  FakeProc proc;
  Interner interner;
  FdTable table(proc.Get(), interner);
  proc.AddFd(20, 5, "pipe:[77]", "flags:\t0\n");
  EXPECT_TRUE(table.Look(20, 5).has());
  EXPECT_TRUE(table.TakeSurprise());
  EXPECT_EQ(table.TakeNew().size(), 1U);
}

TEST(FdTable, AFolderWithoutRightsSaysSo) {
  FakeProc proc;
  Interner interner;
  FdTable table(proc.Get(), interner);
  proc.files.Fail("/proc/20/fd", EACCES);
  EXPECT_EQ(table.Refresh(20).missing().why, Why::kNoPermission);
}

TEST(RegionTable, AChangedMappingIsGivenOutAgain) {
  FakeProc proc;
  Interner interner;
  RegionTable table(proc.Get(), interner);
  const std::string rest = " rw-s 00000000 00:01 ";
  proc.files.Set("/proc/20/maps", "1000-2000" + rest + "5 /dev/shm/a\n");
  EXPECT_FALSE(*table.Refresh(20));
  EXPECT_EQ(table.TakeNew().size(), 1U);
  proc.files.Set("/proc/20/maps", "1000-2000" + rest + "6 /dev/shm/b\n3000-4000" + rest + "7 /c\n");
  EXPECT_TRUE(*table.IsShared(20, 0x3000));
  EXPECT_EQ(table.TakeNew().size(), 2U);
  EXPECT_FALSE(*table.IsShared(20, 0x2000)) << "the end is not in it";
}

TEST(SocketTable, LoopbackPeersAreFoundBySwappingTheEnds) {
  FakeProc proc;
  Interner interner;
  SocketTable table(proc.Get(), interner);
  const std::string rest = " 0:0 0:0 0 0 0 ";
  proc.files.Set("/proc/20/net/tcp", "   0: 00000000:07E8 00000000:0000 0A" + rest + "1 1\n" +
                                         "   1: 0100007F:07E8 0100007F:9C40 01" + rest + "2 1\n" +
                                         "   2: 0100007F:9C40 0100007F:07E8 01" + rest + "3 1\n");
  proc.ipc.AddPeer({50, 51, false});
  proc.ipc.AddPeer({52, 0, true});
  std::vector<Missing> missing;
  std::vector<SocketSeen> seen = table.Refresh({1, 2, 3, 50}, {20}, missing);
  ASSERT_EQ(seen.size(), 4U);
  EXPECT_EQ(seen[0].kind, SocketKind::kUnix);
  EXPECT_EQ(seen[0].peer_inode, 51U);
  EXPECT_TRUE(seen[1].listening);
  EXPECT_EQ(seen[1].remote, kNoName);
  EXPECT_EQ(seen[2].peer_inode, 3U);
  EXPECT_TRUE(seen[2].server_side);
  EXPECT_EQ(seen[3].peer_inode, 2U);
  EXPECT_FALSE(seen[3].server_side);
  EXPECT_EQ(interner.NamesFrom(0).at(seen[3].remote), "127.0.0.1:2024");
  EXPECT_TRUE(missing.empty());
  EXPECT_TRUE(table.Refresh({1, 2, 3, 50}, {20}, missing).empty()) << "nothing changed";
}

TEST(SocketTable, WhatTheKernelRefusesIsMissing) {
  FakeProc proc;
  Interner interner;
  SocketTable table(proc.Get(), interner);
  proc.ipc.FailUnixPeers(EPERM);
  std::vector<Missing> missing;
  EXPECT_TRUE(table.Refresh({1}, {20}, missing).empty());
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing[0].why, Why::kNoPermission);
}

TEST(NamespaceTable, EachMountNamespaceIsReadOnceAndSecretsAreHidden) {
  FakeProc proc;
  Interner interner;
  NamespaceTable table(proc.Get(), interner);
  for (const std::int32_t pid : {20, 21, 30}) {
    const std::string name = pid == 30 ? "b" : "a";
    proc.files.SetLink(ProcessPath(pid, "ns/mnt"), "mnt:[" + name + "]");
    proc.files.SetLink(ProcessPath(pid, "ns/net"), "net:[" + name + "]");
    proc.files.Set(ProcessPath(pid, "mountinfo"),
                   "36 35 0:40 / /data rw,noatime - cifs //srv/x rw,password=hunter2\n");
  }
  Capture out;
  std::vector<Missing> missing;
  for (const std::int32_t pid : {20, 21, 30}) table.Add(pid, out, missing);
  ASSERT_EQ(out.mounts.size(), 2U);
  EXPECT_EQ(out.mounts[0].pid, 20);
  EXPECT_EQ(out.mounts[1].pid, 30);
  const std::vector<std::string> names = interner.NamesFrom(0);
  EXPECT_EQ(names.at(out.mounts[0].mount_point), "/data");
  EXPECT_EQ(names.at(out.mounts[0].options).find("hunter2"), std::string::npos);
  EXPECT_EQ(table.NetworkPids(), (std::vector<std::int32_t>{20, 30}));
  table.Forget(20);
  EXPECT_EQ(table.NetworkPids(), (std::vector<std::int32_t>{21, 30}));
}

class Cgroups : public testing::Test {
 protected:
  FakeProc proc;
  Interner interner;
  Capture out;
};

TEST_F(Cgroups, Version1GroupsAndTheirParentsWithAQuotaAreRead) {
  proc.files.Set("/proc/self/mountinfo",
                 "32 31 0:29 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
                 "41 31 0:38 / /cg/unified rw - cgroup2 cgroup2 rw\n");
  for (const char* group : {"", "/a", "/a/b", "/a/b/c"}) {
    const std::string folder = std::string("/cg/cpu") + group;
    const bool limited = std::string(group) == "/a";
    proc.files.Set(folder + "/cpu.cfs_quota_us", limited ? "50000\n" : "-1\n");
    proc.files.Set(folder + "/cpu.cfs_period_us", "100000\n");
    proc.files.Set(folder + "/cpu.stat", "nr_periods 9\nnr_throttled 8\nthrottled_time 7000\n");
    proc.files.Set(folder + "/cpuacct.usage", "5000\n");
  }
  CgroupReader reader(proc.Get(), interner);
  reader.Add({{"cpu,cpuacct", "/a/b/c"}, {"", "/"}});
  reader.Look(out);
  ASSERT_EQ(out.cgroup_cpu.size(), 2U);
  const std::vector<std::string> names = interner.NamesFrom(0);
  EXPECT_EQ(names.at(out.cgroup_cpu[0].path), "/a");
  EXPECT_EQ(out.cgroup_cpu[0].quota_us.ValueOr(0), 50'000U);
  EXPECT_EQ(out.cgroup_cpu[0].throttled_periods.ValueOr(0), 8U);
  EXPECT_EQ(names.at(out.cgroup_cpu[1].path), "/a/b/c");
  EXPECT_EQ(out.cgroup_cpu[1].quota_us.missing().why, Why::kNotPresent);
  EXPECT_EQ(out.cgroup_cpu[1].throttled_us.ValueOr(0), 7U);
  EXPECT_EQ(out.cgroup_cpu[1].usage_us.ValueOr(0), 5U);
}

TEST_F(Cgroups, Version2GroupsHavePressureToo) {
  proc.files.Set("/proc/self/mountinfo", "41 31 0:38 /top /cg rw - cgroup2 cgroup2 rw\n");
  proc.files.Set("/cg/job/cpu.max", "20000 100000\n");
  proc.files.Set("/cg/job/cpu.stat", "usage_usec 1\nnr_periods 2\nnr_throttled 3\n");
  proc.files.Set("/cg/job/io.pressure",
                 "some avg10=0.00 avg60=0.00 avg300=0.00 total=11\n"
                 "full avg10=0.00 avg60=0.00 avg300=0.00 total=10\n");
  CgroupReader reader(proc.Get(), interner);
  reader.Add({{"", "/top/job"}});
  reader.Look(out);
  ASSERT_EQ(out.cgroup_cpu.size(), 1U);
  EXPECT_EQ(out.cgroup_cpu[0].quota_us.ValueOr(0), 20'000U);
  EXPECT_EQ(out.cgroup_cpu[0].usage_us.ValueOr(0), 1U);
  ASSERT_EQ(out.psi.size(), 1U);
  EXPECT_EQ(out.psi[0].resource, PsiResource::kIo);
  EXPECT_EQ(out.psi[0].some_us, 11U);
  EXPECT_EQ(out.psi[0].full_us.ValueOr(0), 10U);
}

TEST_F(Cgroups, TheWholeMachinesPressureIsNotTheJobs) {
  proc.files.Set("/proc/self/mountinfo", "41 31 0:38 / /cg rw - cgroup2 cgroup2 rw\n");
  proc.files.Set("/cg/io.pressure", "some avg10=0.00 avg60=0.00 avg300=0.00 total=11\n");
  CgroupReader reader(proc.Get(), interner);
  reader.Add({{"", "/"}, {"", "/../elsewhere"}});
  reader.Look(out);
  EXPECT_TRUE(out.psi.empty());
}

TEST(Pacer, ThePeriodGrowsWithTheCostAndIsBounded) {
  Pacer pacer(std::chrono::milliseconds(50), 0.01);
  EXPECT_EQ(pacer.Period(), std::chrono::milliseconds(50));
  pacer.AddLook(std::chrono::microseconds(100));
  EXPECT_EQ(pacer.Period(), std::chrono::milliseconds(50)) << "10 ms would do";
  for (int i = 0; i < 100; ++i) pacer.AddLook(std::chrono::milliseconds(1));
  EXPECT_NEAR(Seconds(pacer.Period()), 0.1, 0.001);
  for (int i = 0; i < 100; ++i) pacer.AddLook(std::chrono::milliseconds(100));
  EXPECT_EQ(pacer.Period(), Pacer::kSlowest);
}

TEST(Pacer, ChoresLeaveLessForLooks) {
  Pacer pacer(std::chrono::milliseconds(50), 0.01);
  for (int i = 0; i < 100; ++i) pacer.AddLook(std::chrono::milliseconds(1));
  pacer.AddChores(std::chrono::milliseconds(5), std::chrono::seconds(1));
  EXPECT_NEAR(Seconds(pacer.Period()), 0.2, 0.001);
  pacer.AddChores(std::chrono::seconds(5), std::chrono::seconds(1));
  EXPECT_NEAR(Seconds(pacer.Period()), 0.25, 0.001) << "two fifths are always the looks'";
}

}  // namespace
}  // namespace gpuwhy
