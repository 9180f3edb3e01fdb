#include "collect/procfs/candidates.h"

#include <gtest/gtest.h>

#include "collect/procfs/fake_proc.h"
#include "collect/procfs/proc_paths.h"

namespace gpuwhy {
namespace {

ScannedProcess Scanned(std::int32_t pid, std::int32_t ppid, std::uint64_t slices,
                       std::uint32_t threads = 1) {
  ScannedProcess p;
  p.stat.pid = pid;
  p.stat.ppid = ppid;
  p.stat.threads = threads;
  p.slices = slices;
  return p;
}

ScannedProcess Kthreadd() {
  ScannedProcess p = Scanned(2, 0, 0);
  p.stat.kernel_thread = true;
  return p;
}

using Pids = std::vector<std::int32_t>;

TEST(Candidates, OnlyTreesInWhichSomebodyRanAreChosen) {
  const std::vector<ScannedProcess> before = {
      Scanned(1, 0, 5),  Kthreadd(),         Scanned(10, 1, 5), Scanned(11, 10, 5),
      Scanned(20, 1, 5), Scanned(21, 20, 5), Scanned(30, 1, 5)};
  std::vector<ScannedProcess> after = before;
  after[3].slices = 9;  // 11
  after[6].slices = 9;  // 30 is alone
  const Candidates chosen = ChooseCandidates(before, after, 999, 400);
  EXPECT_EQ(chosen.pids, (Pids{10, 11}));
  EXPECT_EQ(chosen.trees, 1U);
  EXPECT_EQ(chosen.left_out_processes, 0U);
}

TEST(Candidates, ATreeThatHangsInStorageIsChosenThoughNobodyRan) {
  std::vector<ScannedProcess> before = {Scanned(1, 0, 5), Kthreadd(), Scanned(10, 1, 5),
                                        Scanned(11, 10, 5)};
  before[3].hangs = true;
  std::vector<ScannedProcess> after = before;
  EXPECT_EQ(ChooseCandidates(before, after, 999, 400).pids, (Pids{10, 11}));
  after[3].hangs = false;
  EXPECT_TRUE(ChooseCandidates(before, after, 999, 400).pids.empty());
}

TEST(WhyNotAll, TellsAWholeMachineFromWhatHidesProcesses) {
  FakeFileTree files;
  EXPECT_FALSE(WhyNotAll(files, {Scanned(1, 0, 5), Kthreadd()}));
  EXPECT_EQ(WhyNotAll(files, {})->why, Why::kNotPresent);
  const std::vector<ScannedProcess> own = {Scanned(1, 0, 5), Scanned(8, 1, 5)};
  EXPECT_NE(WhyNotAll(files, own)->detail.find("container"), std::string::npos);
  files.Set("/proc/self/mountinfo", "21 1 0:20 / /proc rw - proc proc rw,hidepid=invisible\n");
  EXPECT_NE(WhyNotAll(files, own)->detail.find("hidepid"), std::string::npos);
}

TEST(Candidates, TheToolsForebearsAreNoMembersButTheirOtherChildrenAre) {
  // 10 (shell) -> 12 (tool), 10 -> 13 (job) -> 14
  const std::vector<ScannedProcess> before = {Scanned(1, 0, 5),   Kthreadd(),
                                              Scanned(10, 1, 5),  Scanned(12, 10, 5),
                                              Scanned(13, 10, 5), Scanned(14, 13, 5)};
  std::vector<ScannedProcess> after = before;
  for (ScannedProcess& p : after) p.slices += 3;
  EXPECT_EQ(ChooseCandidates(before, after, 12, 400).pids, (Pids{13, 14}));
}

TEST(Candidates, TheFirstProcessOfAContainerMayBeTheJob) {
  const std::vector<ScannedProcess> before = {Scanned(1, 0, 5), Scanned(8, 1, 5)};
  std::vector<ScannedProcess> after = before;
  after[1].slices = 6;
  EXPECT_EQ(ChooseCandidates(before, after, 0, 400).pids, (Pids{1, 8}));
}

TEST(Candidates, TheMostActiveTreesComeFirstAndTheRestIsCounted) {
  const std::vector<ScannedProcess> before = {Scanned(10, 9, 5, 3), Scanned(11, 10, 5),
                                              Scanned(20, 9, 5, 3), Scanned(21, 20, 5)};
  std::vector<ScannedProcess> after = before;
  after[1].slices = 6;
  after[3].slices = 100;
  const Candidates chosen = ChooseCandidates(before, after, 0, 5);
  EXPECT_EQ(chosen.pids, (Pids{20, 21}));
  EXPECT_EQ(chosen.left_out_processes, 2U);
}

TEST(Candidates, ATreeThatIsTooLargeIsTakenApartAtItsLauncher) {
  // A service manager 5 above two jobs.
  const std::vector<ScannedProcess> before = {Scanned(5, 0, 5), Scanned(10, 5, 5, 3),
                                              Scanned(11, 10, 5), Scanned(20, 5, 5, 3),
                                              Scanned(21, 20, 5)};
  std::vector<ScannedProcess> after = before;
  after[2].slices = 50;
  after[4].slices = 60;
  EXPECT_EQ(ChooseCandidates(before, after, 0, 4).pids, (Pids{20, 21}));
  EXPECT_EQ(ChooseCandidates(before, after, 0, 8).pids, (Pids{10, 11, 20, 21}));
}

TEST(Candidates, ATrainerWithManyThreadsKeepsItsWorkers) {
  const std::vector<ScannedProcess> before = {Scanned(10, 5, 5, 500), Scanned(11, 10, 5)};
  std::vector<ScannedProcess> after = before;
  after[1].slices = 50;
  EXPECT_EQ(ChooseCandidates(before, after, 0, 400).pids, (Pids{10, 11}));
}

TEST(Candidates, ANumberThatWasGivenAgainIsNoActivity) {
  const std::vector<ScannedProcess> before = {Scanned(10, 5, 5), Scanned(11, 10, 5)};
  std::vector<ScannedProcess> after = before;
  after[1].slices = 50;
  after[1].stat.start_ticks = 7;
  EXPECT_TRUE(ChooseCandidates(before, after, 0, 400).pids.empty());
}

TEST(Candidates, AScanSumsUpThreadsAndLeavesTheKernelOut) {
  FakeProc proc;
  proc.Add({.pid = 2, .ppid = 0, .flags = 0x200000});
  proc.Add({.pid = 3, .ppid = 2, .flags = 0x200000});
  proc.Add({.pid = 10, .threads = 3, .slices = 4});
  const std::vector<ScannedProcess> scan = ScanProcesses(proc.files);
  ASSERT_EQ(scan.size(), 2U);
  EXPECT_TRUE(scan[0].stat.kernel_thread);
  EXPECT_EQ(scan[1].stat.pid, 10);
  EXPECT_EQ(scan[1].slices, 12U);
}

TEST(Candidates, AScanSeesWhoHangsHoweverItIsHeld) {
  FakeProc proc;
  const std::string states = "DTtSR";
  for (std::size_t i = 0; i < states.size(); ++i) {
    proc.Add({.pid = static_cast<std::int32_t>(10 + i), .state = states[i]});
  }
  proc.Add({.pid = 20});
  proc.files.Set(ProcessPath(20, "wchan"), "request_wait_answer");
  const std::vector<ScannedProcess> scan = ScanProcesses(proc.files);
  ASSERT_EQ(scan.size(), 6U);
  const std::vector<bool> expected = {true, true, true, false, false, true};
  for (std::size_t i = 0; i < scan.size(); ++i) {
    EXPECT_EQ(scan[i].hangs, expected[i]) << scan[i].stat.pid;
  }
}

TEST(Candidates, OtherRunsOfTheToolAreNoneButWhatTheyStartedMayBe) {
  std::vector<ScannedProcess> before = {Scanned(1, 0, 5), Kthreadd(), Scanned(10, 1, 5),
                                        Scanned(11, 10, 5), Scanned(12, 11, 5)};
  before[2].stat.command = "gpuwhy";
  std::vector<ScannedProcess> after = before;
  for (ScannedProcess& p : after) p.slices += 3;
  EXPECT_EQ(ChooseCandidates(before, after, 999, 400).pids, (Pids{11, 12}));
}

TEST(Candidates, AProcessAloneIsOneWhereItUsesADevice) {
  FakeProc proc;
  for (const std::int32_t pid : {10, 20, 30, 40, 50}) proc.Add({.pid = pid, .ppid = 1});
  proc.files.Set(ProcessPath(10, "maps"),
                 "7f0000000000-7f0000001000 r-xp 00000000 fe:00 9   /usr/lib/libtorch_cpu.so\n");
  proc.AddFd(20, 6, "/dev/nvidia-uvm", "flags:\t02\n");
  proc.AddFd(30, 6, "/dev/nvidia0", "flags:\t02\n");  // a display's
  proc.AddFd(40, 6, "/dev/nvidia-uvm", "flags:\t02\n");
  const std::vector<ScannedProcess> before = ScanProcesses(proc.files);
  std::vector<ScannedProcess> after = before;
  for (ScannedProcess& p : after) p.slices += p.stat.pid == 40 ? 0 : 3;
  MarkGpuUsers(proc.files, before, after, 999);
  EXPECT_EQ(ChooseCandidates(before, after, 999, 400).pids, (Pids{10, 20}));
}

}  // namespace
}  // namespace gpuwhy
