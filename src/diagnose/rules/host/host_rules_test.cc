// Rules on handed-in figures of the host: each holds, does not hold on the other side of its
// threshold, and can't tell where what it needs is missing or not of now.
#include "diagnose/rules/host/host_rules.h"

#include <gtest/gtest.h>

#include "diagnose/rules/cpu_contended.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/input_network_filesystem.h"
#include "diagnose/rules/input_shm_small.h"
#include "diagnose/rules/input_storage_latency.h"
#include "diagnose/rules/input_too_few_workers.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

const Subject kHost;
const Subject kLoader{SubjectKind::kProcess, "7044"};
const Subject kMain{SubjectKind::kProcess, "7001"};
const Subject kFirstGpu{SubjectKind::kGpu, "GPU-1"};
const Subject kDisk{SubjectKind::kBlockDevice, "sda"};
const Subject kShm{SubjectKind::kMount, "/dev/shm"};
const Subject kLink{SubjectKind::kLink, "eth2"};
const Subject kLog{SubjectKind::kInput, "run.log"};
const Policy kPolicy;

bool Holds(const RuleResult& result) { return !result.findings.empty(); }
bool CantTell(const RuleResult& result) {
  return result.findings.empty() && !result.unknowns.empty();
}
bool Silent(const RuleResult& result) { return result.findings.empty() && result.unknowns.empty(); }

TestFacts Host() {
  TestFacts facts;
  facts.pasted = true;
  return facts;
}

/// A figure that came from several reports.
void Series(TestFacts& facts, FactId id, double low, double high, const Subject& subject = kHost) {
  facts.Set(id, (low + high) / 2, Interval{low, high}, subject);
}

/// A figure of a single report.
void Once(TestFacts& facts, FactId id, double value, const Subject& subject = kHost) {
  facts.Drop(id, subject);
  facts.Set(id, value, std::nullopt, subject);
}

void AddGpu(TestFacts& facts, double load) {
  facts.Set(FactId::kGpuUtilization, load, std::nullopt, kFirstGpu);
  facts.Set(FactId::kGpuMemoryUsed, 20000, std::nullopt, kFirstGpu);
}

void AddProcess(TestFacts& facts, const Subject& subject, bool on_gpu, bool loader) {
  facts.SetText(FactId::kProcessCommand, "python3 train.py", subject);
  facts.SetFlag(FactId::kProcessOnGpu, on_gpu, subject);
  facts.SetFlag(FactId::kProcessLoader, loader, subject);
}

TEST(CpuSteal, InEveryReportAndNotInOne) {
  TestFacts facts = Host();
  Series(facts, FactId::kHostCpuSteal, 0.10, 0.2);
  EXPECT_TRUE(Holds(CpuSteal(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostCpuSteal, 0.09, 0.3);
  EXPECT_TRUE(Silent(CpuSteal(facts.Build(), kPolicy)));
  Once(facts, FactId::kHostCpuSteal, 0.3);
  EXPECT_TRUE(CantTell(CpuSteal(facts.Build(), kPolicy)));
  facts.Miss(FactId::kHostCpuSteal, {Why::kNotSampled, "mpstat gives only a mean"}, kHost);
  EXPECT_TRUE(CantTell(CpuSteal(facts.Build(), kPolicy)));
}

TEST(CpuSteal, ABusyGpuDoesNotMissIt) {
  TestFacts facts = Host();
  Series(facts, FactId::kHostCpuSteal, 0.15, 0.2);
  AddGpu(facts, 97);
  EXPECT_TRUE(Silent(CpuSteal(facts.Build(), kPolicy)));
  AddGpu(facts, 30);
  EXPECT_TRUE(Holds(CpuSteal(facts.Build(), kPolicy)));
}

TEST(CpuKernelTime, AStateFromOneCoreFullOfInterruptsOn) {
  TestFacts facts = Host();
  Series(facts, FactId::kHostCoreInterrupts, 0.9, 0.95);
  EXPECT_TRUE(Holds(CpuKernelTime(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostCoreInterrupts, 0.89, 0.95);
  EXPECT_TRUE(Silent(CpuKernelTime(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostCpuKernel, 0.30, 0.4);
  EXPECT_TRUE(Holds(CpuKernelTime(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostCpuKernel, 0.29, 0.4);
  EXPECT_TRUE(Silent(CpuKernelTime(facts.Build(), kPolicy)));
  Once(facts, FactId::kHostCoreInterrupts, 0.95);
  EXPECT_TRUE(CantTell(CpuKernelTime(facts.Build(), kPolicy)));
}

TEST(HostSwapping, PagesThatComeBackInEveryReport) {
  TestFacts facts = Host();
  Series(facts, FactId::kHostSwapIn, 1 << 20, 9e6);
  EXPECT_TRUE(Holds(HostSwapping(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostSwapIn, 0, 9e6);
  EXPECT_TRUE(Silent(HostSwapping(facts.Build(), kPolicy)));
  facts.Miss(FactId::kHostSwapIn, {Why::kNotSampled, "vmstat gives only a mean"}, kHost);
  EXPECT_TRUE(CantTell(HostSwapping(facts.Build(), kPolicy)));
}

TEST(HostSwapInUse, OnlyWhereNoneMoves) {
  TestFacts facts = Host();
  facts.Set(FactId::kHostMemoryTotal, 100e9, std::nullopt, kHost);
  facts.Set(FactId::kHostSwapUsed, 6e9, std::nullopt, kHost);
  EXPECT_TRUE(CantTell(HostSwapInUse(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostSwapIn, 0, 0);
  EXPECT_TRUE(Holds(HostSwapInUse(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostSwapIn, 0, 9e6);
  EXPECT_TRUE(Silent(HostSwapInUse(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostSwapIn, 0, 0);
  facts.Set(FactId::kHostSwapUsed, 4e9, std::nullopt, kHost);
  EXPECT_TRUE(Silent(HostSwapInUse(facts.Build(), kPolicy)));
}

TestFacts Contended() {
  TestFacts facts = Host();
  AddProcess(facts, kMain, true, false);
  Series(facts, FactId::kProcessRunWait, 0.4, 0.4, kMain);
  Series(facts, FactId::kProcessRun, 1, 1, kMain);
  facts.Set(FactId::kHostOthersRun, 6.9, std::nullopt, kHost);
  facts.Set(FactId::kHostCpus, 8, std::nullopt, kHost);
  return facts;
}

TEST(CpuContended, TheJobsOwnWaitWithOthersOnFullCores) {
  TestFacts facts = Contended();
  EXPECT_TRUE(Holds(CpuContended(facts.Build(), kPolicy)));
  Series(facts, FactId::kProcessRunWait, 0.19, 0.19, kMain);
  EXPECT_TRUE(Silent(CpuContended(facts.Build(), kPolicy)));
}

TEST(CpuContended, WithFreeCoresItIsAQuotaOrAMask) {
  TestFacts facts = Contended();
  facts.Set(FactId::kHostCpus, 64, std::nullopt, kHost);
  EXPECT_TRUE(CantTell(CpuContended(facts.Build(), kPolicy)));
  facts.Drop(FactId::kHostCpus, kHost);
  EXPECT_TRUE(CantTell(CpuContended(facts.Build(), kPolicy)));
  facts.Drop(FactId::kHostOthersRun, kHost);
  EXPECT_TRUE(CantTell(CpuContended(facts.Build(), kPolicy)));
}

TEST(CpuContended, AJobThatFillsTheCoresItselfIsNoContention) {
  TestFacts facts = Contended();
  facts.Set(FactId::kHostOthersRun, 0.24, std::nullopt, kHost);
  Series(facts, FactId::kProcessRun, 7.7, 7.7, kMain);
  EXPECT_TRUE(Silent(CpuContended(facts.Build(), kPolicy)));
}

TestFacts OneThread() {
  TestFacts facts = Host();
  AddProcess(facts, kMain, true, false);
  Series(facts, FactId::kProcessThreadBusy, 0.98, 1, kMain);
  facts.Set(FactId::kHostCpuBusy, 0.1, std::nullopt, kHost);
  AddGpu(facts, 30);
  return facts;
}

TEST(CpuSingleThread, OnlyWhereTheGpuWaitsAndCoresAreFree) {
  TestFacts facts = OneThread();
  const RuleResult result = CpuSingleThread(facts.Build(), kPolicy);
  ASSERT_TRUE(Holds(result));
  EXPECT_DOUBLE_EQ(*result.findings.front().bound, 0.99);
  AddGpu(facts, 99);
  EXPECT_TRUE(Silent(CpuSingleThread(facts.Build(), kPolicy)));
  AddGpu(facts, 30);
  facts.Set(FactId::kHostCpuBusy, 0.71, std::nullopt, kHost);
  EXPECT_TRUE(Silent(CpuSingleThread(facts.Build(), kPolicy)));
  facts.Drop(FactId::kHostCpuBusy, kHost);
  EXPECT_TRUE(CantTell(CpuSingleThread(facts.Build(), kPolicy)));
}

TEST(CpuSingleThread, WithoutTheGpuItMayOnlyWaitForIt) {
  TestFacts facts = OneThread();
  facts.Drop(FactId::kGpuUtilization, kFirstGpu);
  EXPECT_TRUE(CantTell(CpuSingleThread(facts.Build(), kPolicy)));
  Series(facts, FactId::kProcessThreadBusy, 0.94, 0.94, kMain);
  EXPECT_TRUE(Silent(CpuSingleThread(facts.Build(), kPolicy)));
}

TestFacts Full() {
  TestFacts facts = Host();
  AddProcess(facts, kLoader, false, true);
  Series(facts, FactId::kProcessRun, 6, 6, kLoader);
  Series(facts, FactId::kHostCpuBusy, 0.95, 1);
  facts.Set(FactId::kHostCpus, 8, std::nullopt, kHost);
  AddGpu(facts, 20);
  return facts;
}

TEST(CpuSaturated, NeedsTheJobOnTheCoresAndAGpuThatWaits) {
  TestFacts facts = Full();
  EXPECT_TRUE(Holds(CpuSaturated(facts.Build(), kPolicy)));
  Series(facts, FactId::kHostCpuBusy, 0.89, 1);
  EXPECT_TRUE(Silent(CpuSaturated(facts.Build(), kPolicy)));
  facts = Full();
  Series(facts, FactId::kProcessRun, 3, 3, kLoader);
  EXPECT_TRUE(Silent(CpuSaturated(facts.Build(), kPolicy)));
  facts = Full();
  AddGpu(facts, 80);
  EXPECT_TRUE(Silent(CpuSaturated(facts.Build(), kPolicy)));
  facts = Full();
  facts.Drop(FactId::kHostCpus, kHost);
  EXPECT_TRUE(CantTell(CpuSaturated(facts.Build(), kPolicy)));
  facts = Full();
  Once(facts, FactId::kHostCpuBusy, 1);
  EXPECT_TRUE(CantTell(CpuSaturated(facts.Build(), kPolicy)));
}

TEST(InputTooFewWorkers, EveryListedLoaderFillsACore) {
  TestFacts facts = Host();
  AddProcess(facts, kLoader, false, true);
  Series(facts, FactId::kProcessRun, 0.99, 0.99, kLoader);
  AddGpu(facts, 20);
  EXPECT_TRUE(CantTell(InputTooFewWorkers(facts.Build(), kPolicy)));
  facts.Set(FactId::kHostCpuBusy, 0.2, std::nullopt, kHost);
  EXPECT_TRUE(Holds(InputTooFewWorkers(facts.Build(), kPolicy)));
  facts.Set(FactId::kHostCpuBusy, 0.71, std::nullopt, kHost);
  EXPECT_TRUE(Silent(InputTooFewWorkers(facts.Build(), kPolicy)));
  facts.Set(FactId::kHostCpuBusy, 0.2, std::nullopt, kHost);
  Series(facts, FactId::kProcessRun, 0.94, 0.94, kLoader);
  EXPECT_TRUE(Silent(InputTooFewWorkers(facts.Build(), kPolicy)));
}

TestFacts Blocked(const std::string& wait) {
  TestFacts facts = Host();
  AddProcess(facts, kLoader, false, true);
  facts.SetText(FactId::kProcessState, "D", kLoader);
  Series(facts, FactId::kProcessBlocked, 1, 1, kLoader);
  if (!wait.empty()) facts.SetText(FactId::kProcessKernelWait, wait, kLoader);
  return facts;
}

TEST(InputStorageLatency, AProcessInTheReadPath) {
  TestFacts facts = Blocked("folio_wait_bit_common");
  const RuleResult result = InputStorageLatency(facts.Build(), kPolicy);
  ASSERT_TRUE(Holds(result));
  EXPECT_EQ(result.findings.front().confidence, Confidence::kMedium);
  EXPECT_TRUE(Silent(InputNetworkFilesystem(facts.Build(), kPolicy)));
  Once(facts, FactId::kProcessBlocked, 1, kLoader);
  EXPECT_TRUE(CantTell(InputStorageLatency(facts.Build(), kPolicy)));
}

TEST(InputStorageLatency, AFewOfManyLoadersAreAlwaysInTheReadPath) {
  TestFacts facts = Blocked("folio_wait_bit_common");
  for (const char* pid : {"1", "2"}) {
    const Subject other{SubjectKind::kProcess, pid};
    AddProcess(facts, other, false, true);
    Series(facts, FactId::kProcessBlocked, 0, 0, other);
  }
  EXPECT_TRUE(Silent(InputStorageLatency(facts.Build(), kPolicy)));
}

TEST(InputStorageLatency, ABlockedProcessAloneDoesNotSayForWhat) {
  TestFacts facts = Blocked("");
  EXPECT_TRUE(CantTell(InputStorageLatency(facts.Build(), kPolicy)));
  Series(facts, FactId::kBlockReadAwait, 0.02, 0.08, kDisk);
  EXPECT_TRUE(Holds(InputStorageLatency(facts.Build(), kPolicy)));
  Series(facts, FactId::kBlockReadAwait, 0.019, 0.08, kDisk);
  EXPECT_TRUE(CantTell(InputStorageLatency(facts.Build(), kPolicy)));
  Series(facts, FactId::kProcessBlocked, 0.49, 0.49, kLoader);
  EXPECT_TRUE(Silent(InputStorageLatency(facts.Build(), kPolicy)));
}

TEST(InputStorageLatency, AProcessInTheGpusDriverIsNoReader) {
  TestFacts facts = Blocked("nvidia_ioctl");
  Series(facts, FactId::kBlockReadAwait, 0.05, 0.08, kDisk);
  EXPECT_TRUE(Silent(InputStorageLatency(facts.Build(), kPolicy)));
}

TEST(InputStorageLatency, ASlowDeviceAloneIsNoCause) {
  TestFacts facts = Host();
  Series(facts, FactId::kBlockReadAwait, 0.05, 0.08, kDisk);
  EXPECT_TRUE(Silent(InputStorageLatency(facts.Build(), kPolicy)));
  facts.Set(FactId::kLogDataShare, 0.4, std::nullopt, kLog);
  const RuleResult waited = InputStorageLatency(facts.Build(), kPolicy);
  ASSERT_TRUE(Holds(waited));
  EXPECT_EQ(waited.findings.front().confidence, Confidence::kLow);
  EXPECT_DOUBLE_EQ(waited.findings.front().cost->low, 0);
  AddGpu(facts, 99);
  EXPECT_TRUE(Silent(InputStorageLatency(facts.Build(), kPolicy)));
}

TEST(InputNetworkFilesystem, ByThePathOrByASlowMount) {
  EXPECT_TRUE(Holds(InputNetworkFilesystem(Blocked("rpc_wait_bit_killable").Build(), kPolicy)));
  const Subject mount{SubjectKind::kMount, "/data"};
  TestFacts facts = Blocked("");
  Series(facts, FactId::kNfsReadExe, 0.02, 0.09, mount);
  EXPECT_TRUE(Holds(InputNetworkFilesystem(facts.Build(), kPolicy)));
  Series(facts, FactId::kNfsReadExe, 0.01, 0.09, mount);
  EXPECT_TRUE(Silent(InputNetworkFilesystem(facts.Build(), kPolicy)));
}

TEST(InputShmSmall, FullAndNotNearlyFull) {
  TestFacts facts = Host();
  facts.Set(FactId::kMountUsed, 1, std::nullopt, kShm);
  const RuleResult full = InputShmSmall(facts.Build(), kPolicy);
  ASSERT_TRUE(Holds(full));
  EXPECT_EQ(full.findings.front().confidence, Confidence::kMedium);
  facts.Set(FactId::kMountUsed, 0.98, std::nullopt, kShm);
  EXPECT_TRUE(Silent(InputShmSmall(facts.Build(), kPolicy)));
  facts.SetText(FactId::kSaidShmTooSmall, "Bus error, insufficient shared memory", kHost);
  EXPECT_EQ(InputShmSmall(facts.Build(), kPolicy).findings.front().evidence.size(), 2U);
}

TEST(NetLinkDegraded, OnlyWhereBothEndsOfferMore) {
  TestFacts facts = Host();
  facts.Set(FactId::kNetSpeed, 1.25e9, std::nullopt, kLink);
  EXPECT_TRUE(Silent(NetLinkDegraded(facts.Build(), kPolicy)));
  facts.Set(FactId::kNetSpeedAble, 3.125e9, std::nullopt, kLink);
  EXPECT_TRUE(Holds(NetLinkDegraded(facts.Build(), kPolicy)));
  facts.Set(FactId::kNetSpeed, 3.125e9, std::nullopt, kLink);
  EXPECT_TRUE(Silent(NetLinkDegraded(facts.Build(), kPolicy)));
  facts.SetText(FactId::kNetDuplex, "Half", kLink);
  EXPECT_TRUE(Holds(NetLinkDegraded(facts.Build(), kPolicy)));
}

TEST(NetIpoibDown, NeedsTheSameDevicesPortUp) {
  TestFacts facts = Host();
  facts.SetText(FactId::kIpoibDown, "mlx5_0 port 1 ==> ib0 (Down)", kLink);
  facts.SetText(FactId::kPortActive, "mlx5_1: State: Active", kLog);
  EXPECT_TRUE(Silent(NetIpoibDown(facts.Build(), kPolicy)));
  facts.SetText(FactId::kPortActive, "mlx5_0: State: Active", kLog);
  EXPECT_TRUE(Holds(NetIpoibDown(facts.Build(), kPolicy)));
}

TEST(KernelWaitOf, NamesThatPsPrintsCutAsWell) {
  EXPECT_EQ(KernelWaitOf("rpc_wait_bit_ki"), KernelWait::kNfs);
  EXPECT_EQ(KernelWaitOf("wait_on_page_bit"), KernelWait::kStorage);
  EXPECT_EQ(KernelWaitOf("nv_open_device"), KernelWait::kDriver);
  EXPECT_EQ(KernelWaitOf("do_epoll_wait"), KernelWait::kUnknown);
}

}  // namespace
}  // namespace gpuwhy
