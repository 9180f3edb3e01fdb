#include "collect/procfs/job_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "collect/procfs/fake_proc.h"

namespace gpuwhy {
namespace {

std::vector<std::int32_t> Pids(const Tree& tree) {
  std::vector<std::int32_t> pids;
  for (const TreeProcess& p : tree.processes) pids.push_back(p.stat.pid);
  return pids;
}

TEST(JobTree, ClimbingStopsAtAnotherProgramAnotherGroupAndTheTool) {
  FakeProc proc;
  proc.Add({.pid = 10, .exe = "/bin/bash"});
  proc.Add({.pid = 20, .ppid = 10, .pgrp = 20});
  proc.Add({.pid = 30, .ppid = 20, .pgrp = 20});
  proc.Add({.pid = 40, .ppid = 30, .pgrp = 20});
  proc.Add({.pid = 50, .ppid = 40, .pgrp = 50});
  EXPECT_EQ(ClimbToRoot(proc.files, 40, 0), 20);
  EXPECT_EQ(ClimbToRoot(proc.files, 50, 0), 50);
  EXPECT_EQ(ClimbToRoot(proc.files, 40, 20), 30);
  proc.files.Fail("/proc/40/exe", EACCES);
  EXPECT_EQ(ClimbToRoot(proc.files, 40, 0), 40);
}

TEST(JobTree, DescendantsAreFoundThroughEveryThread) {
  FakeProc proc;
  proc.Add({.pid = 20, .threads = 2, .children = "30 "});
  proc.files.Set("/proc/20/task/21/children", "40 ");
  proc.Add({.pid = 30, .ppid = 20});
  proc.Add({.pid = 40, .ppid = 20, .children = "50"});
  proc.Add({.pid = 50, .ppid = 40});
  proc.Add({.pid = 60});
  const Tree tree = ReadTree(proc.files, {20}, 0);
  EXPECT_EQ(Pids(tree), (std::vector<std::int32_t>{20, 30, 40, 50}));
  EXPECT_EQ(tree.processes[0].tids, (std::vector<std::int32_t>{20, 21}));
  EXPECT_EQ(Pids(ReadTree(proc.files, {20}, 40)), (std::vector<std::int32_t>{20, 30}));
}

TEST(JobTree, ParentsAreScannedWhereTheKernelListsNoChildren) {
  FakeProc proc;
  proc.Add({.pid = 20});
  proc.Add({.pid = 30, .ppid = 20});
  proc.Add({.pid = 40, .ppid = 30});
  for (const char* path :
       {"/proc/20/task/20/children", "/proc/30/task/30/children", "/proc/40/task/40/children"})
    proc.files.Fail(path, ENOENT);
  EXPECT_EQ(Pids(ReadTree(proc.files, {20}, 0)), (std::vector<std::int32_t>{20, 30, 40}));
}

TEST(JobTree, EndedProcessesAndZombiesAreNoMembersAndOrphansStay) {
  FakeProc proc;
  proc.Add({.pid = 30, .ppid = 1});
  proc.Add({.pid = 40, .ppid = 1, .state = 'Z'});
  EXPECT_EQ(Pids(ReadTree(proc.files, {20, 30, 40}, 0)), (std::vector<std::int32_t>{30}));
}

TEST(JobTree, WhatIsBeyondTheLimitsIsCounted) {
  FakeProc proc;
  proc.Add({.pid = 20, .threads = 3, .children = "30 40"});
  proc.Add({.pid = 30, .ppid = 20});
  proc.Add({.pid = 40, .ppid = 20});
  const Tree tree = ReadTree(proc.files, {20}, 0, {.processes = 10, .threads = 4});
  EXPECT_EQ(tree.processes.size(), 2U);
  EXPECT_EQ(tree.left_out, 1U);
}

TEST(JobTree, OfAProcessWithTooManyThreadsTheFirstAreLookedAt) {
  FakeProc proc;
  proc.Add({.pid = 20, .threads = 9});
  const Tree tree = ReadTree(proc.files, {20}, 0, {.processes = 10, .threads = 4});
  ASSERT_EQ(tree.processes.size(), 1U);
  EXPECT_EQ(tree.processes[0].tids.size(), 4U);
  EXPECT_EQ(tree.processes[0].tids.front(), 20) << "the main thread is among them";
  EXPECT_EQ(tree.threads_left_out, 5U);
}

TEST(JobTree, ACommandCannotForgeItsParent) {
  FakeProc proc;
  proc.Add({.pid = 20, .ppid = 10, .command = "a) R 1 (b\n"});
  const Result<PidStat> stat = ReadPidStat(proc.files, 20);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->ppid, 10);
}

}  // namespace
}  // namespace gpuwhy
