// Wordings of many versions of the programs, and lines that only look like them.
#include "parse/logs/statements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "parse/logs/host_signs.h"
#include "parse/logs/out_of_memory.h"
#include "parse/logs/service_state.h"
#include "parse/logs/statement_table.h"

namespace gpuwhy {
namespace {

using enum Statement;

bool Says(std::string_view text, Statement statement) {
  const std::vector<StatementSeen> seen = FindStatements(text);
  return std::any_of(seen.begin(), seen.end(),
                     [&](const StatementSeen& one) { return one.statement == statement; });
}

struct Line {
  Statement statement;
  std::string_view text;
};

TEST(Statements, KnowTheWordingsOfManyVersions) {
  constexpr Line kLines[] = {
      {kLibraryMismatch,
       "nvidia-container-cli: initialization error: nvml error: driver/library "
       "version mismatch: unknown."},
      {kContainerNoGpu,
       "docker: Error response from daemon: failed to discover GPU vendor from "
       "CDI: no known GPU vendor found"},
      {kModuleBuildFailed, "modprobe: FATAL: Module nvidia not found in directory /lib/modules/6"},
      {kChannelNoGdr, "n1:7:9 [0] NCCL INFO Channel 00/0 : 9[7] -> 0[0] via NET/IBext_v8/0"},
      {kChannelGdr, "n1:7:9 [0] NCCL INFO Channel 00/0 : 9[7] -> 0[0] via NET/IBext_v8/0/GDRDMA"},
      {kPeerUnreachable,
       "n1:7:9 [3] NCCL WARN NET/IB : Got completion from peer 192.0.2.9<41> "
       "with status=IBV_WC_RETRY_EXC_ERR(12) opcode=1"},
      {kRendezvous, "Timed out after 901 seconds waiting for clients. 2/3 clients joined."},
      {kShmTooSmall, "It is possible that dataloader's workers are out of shared memory."},
      {kMemcgKill, "      Reason:       OOMKilled"},
      {kNumbersBroke, "FloatingPointError: Minimum loss scale reached (0.0001)."},
      {kPeerUnreachable, "NCCL WARN NET/IB : Got completion with status=12 opcode=0 len=0"},
      {kProgramFault, "RuntimeError: CUDA error: an illegal memory access was encountered"},
      {kProgramFault, "RuntimeError: CUDA error: device-side assert triggered"},
      {kNoDevice, "RuntimeError: No CUDA GPUs are available"},
      {kNcclFailed, "NCCL error in: /w/torch/lib/c10d/Foo.cpp:7, unhandled system error"},
      {kLoaderDied, "RuntimeError: DataLoader worker (pid(s) 71, 72) exited unexpectedly"},
      {kLoaderDied, "DataLoader worker (pid 71) exited unexpectedly with exit code 1."},
      {kManyWorkers,
       "UserWarning: This DataLoader will create 12 worker processes in total. Our suggested max "
       "number of worker in current system is 4"},
      {kAerError, "pcieport 0000:20:01.0: AER: Corrected error received: 0000:21:00.0"},
      {kP2pDisabled, "NCCL INFO P2P is disabled between connected GPUs 3 and 2."},
      {kNcclSetting, "NCCL INFO NCCL_SHM_DISABLE set by environment to 1."},
      {kIbDevice, "NCCL INFO NET/IB : Using [0]mlx5_4:1/RoCE [RO]; OOB eth1:192.0.2.7<0>"},
      {kCrashed, "Fatal Python error: Segmentation fault"},
      {kCrashed, "python[7]: segfault at 8 ip 00007f sp 00007f error 4 in libfoo.so"}};
  for (const Line& line : kLines) EXPECT_TRUE(Says(line.text, line.statement)) << line.text;
}

TEST(Statements, NearMissesSayNothing) {
  constexpr Line kLines[] = {
      {kModuleBuildFailed, "modprobe: FATAL: Module nvidia-peermem not found in directory /lib/m"},
      {kKeyRejected, "modprobe: ERROR: could not insert 'vboxdrv': Key was rejected by service"},
      {kKeyRejected, "nvidia: module verification failed: signature and/or required key missing"},
      {kConnectTimeout, "NCCL INFO Call to connect returned Connection refused, retrying"},
      {kRendezvous, "Waiting in store based barrier to initialize process group for rank: 0"},
      {kLibraryMissing,
       "Could not load dynamic library 'libnvinfer.so.7'; dlerror: "
       "libnvinfer.so.7: cannot open shared object file"},
      {kMemcgKill, "        \"OOMKilled\": false,"},
      {kFabricNotReady, "If you see Error 802 then start the fabric manager."},
      {kCudaBroken, "could not synchronize on CUDA context: CUDA_ERROR_UNKNOWN: unknown error"},
      {kShmTooSmall, "NOTE: The SHMEM allocation limit is set to the default of 64MB."}};
  for (const Line& line : kLines) EXPECT_FALSE(Says(line.text, line.statement)) << line.text;
}

TEST(RefusedAllocations, WhatIsNoFailureOfTheGpuIsLeftOut) {
  EXPECT_TRUE(FindRefusedAllocations("Allocator (GPU_0_bfc) ran out of memory trying to allocate "
                                     "2.20GiB. The caller indicates that this is not a failure")
                  .empty());
  EXPECT_TRUE(FindRefusedAllocations("DefaultCPUAllocator: can't allocate memory: you tried to "
                                     "allocate 34359738368 bytes.")
                  .empty());
}

TEST(HostSigns, AMaskThatShrankAndOneThatDidNot) {
  const auto change = FindAffinityChange("$ print affinity\n{0, 1, 2, 3, 4, 5, 6, 7}\n{0}\n");
  ASSERT_TRUE(change);
  EXPECT_EQ(change->before, 8U);
  EXPECT_EQ(change->after, 1U);
  EXPECT_FALSE(FindAffinityChange("$ print affinity\n{0, 1, 2, 3}\n{0, 1, 2}\n"));
}

TEST(HostSigns, StrayContextsAreEqualSmallAndOfOneLaunch) {
  const std::string main = "|    0   N/A  N/A   2001   C   python   21045MiB |\n";
  const std::string stray =
      "|    0   N/A  N/A   2002   C   python     517MiB |\n"
      "|    0   N/A  N/A   2003   C   python     517MiB |\n";
  const auto found =
      FindStrayContexts(main + stray + "|    0   N/A  N/A   2004   C   python     517MiB |\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->count, 3U);
  EXPECT_FALSE(FindStrayContexts(main + stray));
  EXPECT_FALSE(
      FindStrayContexts(main + stray + "|    0   N/A  N/A   9004   C   python     517MiB |\n"));
}

TEST(HostSigns, AModuleIsAbsentOnlyWhereTheNextPromptFollows) {
  EXPECT_TRUE(FindPeermemAbsent("[a@n ~]# lsmod | grep nvidia_peermem\n[a@n ~]# \n"));
  EXPECT_FALSE(FindPeermemAbsent("[a@n ~]# lsmod | grep nvidia_peermem\n"));
  EXPECT_FALSE(FindPeermemAbsent("[a@n ~]# lsmod | grep peermem\nnvidia_peermem 16384 0\n"));
}

TEST(HostSigns, OnlyTheFirstReportSpeaksOfTheTimeSinceBoot) {
  const std::string report = "  ops/s  rpc bklog\n  12.1  0.0\n";
  EXPECT_TRUE(FindSinceBoot(report, "nfsiostat"));
  EXPECT_FALSE(FindSinceBoot(report + report, "nfsiostat"));
  EXPECT_FALSE(FindSinceBoot(report, "vmstat"));
}

bool Tells(std::string_view text, Statement statement) {
  const std::vector<StatementSeen> seen = FindStatements(text);
  return std::any_of(seen.begin(), seen.end(),
                     [&](const StatementSeen& one) { return one.statement == statement; });
}

TEST(Statements, TheKernelTellsOfEveryProgramOfTheHost) {
  constexpr std::string_view kEnd =
      "[77]: segfault at 0 ip 00007f12 sp 00007ffd error 4 in libc.so.6";
  EXPECT_FALSE(Tells("[ 81.1] browser" + std::string(kEnd), Statement::kCrashed));
  EXPECT_FALSE(Tells("Feb 11 10:11:12 ws kernel: editor" + std::string(kEnd), Statement::kCrashed));
  EXPECT_TRUE(Tells("[ 81.1] python3" + std::string(kEnd), Statement::kCrashed));
  EXPECT_TRUE(Tells("[ 81.1] pt_main_thread" + std::string(kEnd), Statement::kCrashed));
}

TEST(Statements, AQueueInASideThreadIsNotTheTrainingLoops) {
  constexpr std::string_view kGet = "    _try_get_data (torch/utils/data/dataloader.py:1133)\n";
  const std::string main = "Thread 812 (idle): \"MainThread\"\n    wait (threading.py:320)\n";
  const std::string side = "Thread 902 (idle): \"Thread-3\"\n";
  EXPECT_TRUE(Tells(main + std::string(kGet) + side, Statement::kLoaderGet));
  EXPECT_FALSE(Tells(main + side + std::string(kGet), Statement::kLoaderGet));
  EXPECT_TRUE(Tells(kGet, Statement::kLoaderGet));
}

TEST(ServiceState, AStoppedFabricManagerIsToldByTwoLines) {
  const std::string unit = "x nvidia-fabricmanager.service - NVIDIA fabric manager service\n";
  const std::string other = "x nvidia-persistenced.service - NVIDIA Persistence Daemon\n";
  const std::string dead = "     Active: inactive (dead)\n";
  const std::vector<StatementSeen> seen = FindStoppedServices(unit + "     Loaded: x\n" + dead);
  ASSERT_EQ(seen.size(), 1U);
  EXPECT_EQ(seen[0].statement, Statement::kFabricManagerFailed);
  EXPECT_EQ(seen[0].quotes.size(), 2U);
  EXPECT_TRUE(FindStoppedServices(unit + "     Active: active (running)\n").empty());
  EXPECT_TRUE(FindStoppedServices(unit + "     Active: active\n" + other + dead).empty())
      << "the state of another one";
}

TEST(ServiceState, AModuleOfAnotherKernelOnlyWhereTheRunningOneIsNamed) {
  const std::string modules =
      "$ dkms status\nnvidia/535.129.03, 5.15.0-91-generic, x86_64: installed\n";
  EXPECT_EQ(FindModulesOfOtherKernels("$ uname -r\n6.5.0-17-generic\n" + modules).size(), 1U);
  EXPECT_EQ(FindModulesOfOtherKernels(modules + "$ uname -r\n6.5.0-17-generic\n").size(), 1U);
  EXPECT_TRUE(FindModulesOfOtherKernels("$ uname -r\n5.15.0-91-generic\n" + modules).empty());
  EXPECT_TRUE(FindModulesOfOtherKernels(modules).empty());
}

}  // namespace
}  // namespace gpuwhy
