// Rules on what a watched job was given to work with.
#include <gtest/gtest.h>

#include <string>

#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/input_shm_small.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

const Subject kHost;
const Subject kRank{SubjectKind::kProcess, "101"};
const Subject kOther{SubjectKind::kProcess, "102"};
const Subject kShm{SubjectKind::kMount, "/dev/shm"};
const Subject kFirstGpu{SubjectKind::kGpu, "GPU-1"};
const Subject kPort{SubjectKind::kInput, "mlx5_0"};

class Given : public testing::Test {
 protected:
  Given() { facts_.jobs.front().gpu = GpuSign::kFramework; }
  void Variable(const std::string& setting, const Subject& process = kRank,
                const std::string& file = "/proc/101/environ") {
    facts_.SetText(FactId::kJobVariable, setting, process)
        .SetSource(FactId::kJobVariable, file, process);
  }
  void DriverLoaded() {
    facts_.SetText(FactId::kModuleLoaded, "nvidia", {SubjectKind::kInput, "nvidia"});
  }
  RuleResult Ask(RuleResult (*rule)(const FactSet&, const Policy&)) {
    return rule(facts_.Build(), Policy{});
  }
  std::size_t Found(RuleResult (*rule)(const FactSet&, const Policy&)) {
    return Ask(rule).findings.size();
  }

  TestFacts facts_ = HealthyJob();
};

TEST_F(Given, LaunchBlockingOfTheJobItselfIsSure) {
  Variable("CUDA_LAUNCH_BLOCKING=1");
  const RuleResult result = Ask(EnvLaunchBlocking);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().confidence, Confidence::kHigh);
  EXPECT_EQ(result.findings.front().subject, kTestJob);
  Variable("CUDA_LAUNCH_BLOCKING=0");
  EXPECT_EQ(Found(EnvLaunchBlocking), 0U) << "that is off";
}

TEST_F(Given, ASettingOfNcclCountsWhereItsPathIsUsed) {
  Variable("NCCL_P2P_DISABLE=1");
  EXPECT_EQ(Found(EnvNccl), 1U);
  FactSet one = facts_.Build();
  one.job_gpus = {kFirstGpu};
  EXPECT_TRUE(EnvNccl(one, Policy{}).findings.empty()) << "a job on one GPU copies to no other";
  Variable("NCCL_P2P_DISABLE=0");
  EXPECT_EQ(Found(EnvNccl), 0U);
}

TEST_F(Given, TheFabricTurnedOffMattersWhereThereIsOne) {
  Variable("NCCL_IB_DISABLE=1");
  EXPECT_EQ(Found(EnvNccl), 0U);
  facts_.SetText(FactId::kPortActive, "mlx5_0/ports/1: Active", kPort);
  EXPECT_EQ(Found(EnvNccl), 1U);
}

TEST_F(Given, TheEnvironmentWinsOverTheSettingsFile) {
  Variable("NCCL_SHM_DISABLE=1", kRank, "/proc/101/root/etc/nccl.conf");
  EXPECT_EQ(Found(EnvNccl), 1U);
  Variable("NCCL_SHM_DISABLE=0", kOther);
  EXPECT_EQ(Found(EnvNccl), 0U);
}

TEST_F(Given, NoGpuIsVisibleToAJobThatHoldsNone) {
  facts_.SetText(FactId::kGpuName, "NVIDIA A100", kFirstGpu);
  for (const char* hidden : {"CUDA_VISIBLE_DEVICES=", "CUDA_VISIBLE_DEVICES=-1",
                             "CUDA_VISIBLE_DEVICES=1", "CUDA_VISIBLE_DEVICES=7,0"}) {
    Variable(hidden);
    EXPECT_EQ(Found(EnvVisibleDevices), 1U) << hidden;
  }
  for (const char* seen : {"CUDA_VISIBLE_DEVICES=0", "CUDA_VISIBLE_DEVICES=GPU-1",
                           "CUDA_VISIBLE_DEVICES=MIG-5c", "CUDA_DEVICE_ORDER=PCI_BUS_ID"}) {
    Variable(seen);
    EXPECT_EQ(Found(EnvVisibleDevices), 0U) << seen;
  }
}

TEST_F(Given, AJobThatHoldsADeviceSeesOne) {
  facts_.SetText(FactId::kGpuName, "NVIDIA A100", kFirstGpu);
  Variable("CUDA_VISIBLE_DEVICES=");
  facts_.jobs.front().gpu = GpuSign::kDevice;
  EXPECT_EQ(Found(EnvVisibleDevices), 0U) << "a helper process without one is no fault";
  facts_.jobs.front().gpu = GpuSign::kFramework;
  facts_.Drop(FactId::kGpuName, kFirstGpu);
  EXPECT_EQ(Found(EnvVisibleDevices), 0U) << "the host has none either";
}

TEST_F(Given, TheAllocatorsCacheIsOffWhateverTheValue) {
  EXPECT_EQ(Found(EnvAllocator), 0U);
  Variable("PYTORCH_NO_CUDA_MEMORY_CACHING=1");
  EXPECT_EQ(Found(EnvAllocator), 1U);
}

TEST_F(Given, PoolsThatFloodTheCoresAndQueueForThem) {
  facts_.Set(FactId::kJobCoresAllowed, 8).Set(FactId::kJobDelay, 12);
  Variable("OMP_NUM_THREADS=8");  // of 5 processes
  const RuleResult result = Ask(EnvThreads);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_NE(result.findings.front().fix.find("to 1"), std::string::npos);
  facts_.Set(FactId::kJobDelay, 3);
  EXPECT_EQ(Found(EnvThreads), 0U) << "its threads sleep";
  facts_.Set(FactId::kJobDelay, 12);
  Variable("OMP_NUM_THREADS=3");
  EXPECT_EQ(Found(EnvThreads), 0U) << "15 threads on 8 cores";
}

TEST_F(Given, WithoutTheDelayItCannotTellWhetherPoolsFlood) {
  facts_.Set(FactId::kJobCoresAllowed, 8);
  facts_.Miss(FactId::kJobDelay, {Why::kNotSupported, "schedstat"});
  Variable("OMP_NUM_THREADS=8");
  const RuleResult result = Ask(EnvThreads);
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
  EXPECT_EQ(result.unknowns.front().hides, std::vector<std::string>{"env.threads"});
}

TEST_F(Given, AContainerWithoutGpusOnAHostWithADriver) {
  facts_.SetText(FactId::kJobContainer, "overlay", kTestJob);
  facts_.SetText(FactId::kJobGpuFiles, "", kTestJob);
  EXPECT_EQ(Found(ContainerNoGpu), 0U) << "no driver is loaded here";
  DriverLoaded();
  EXPECT_EQ(Found(ContainerNoGpu), 1U);
  facts_.SetText(FactId::kJobGpuFiles, "nvidia0 nvidiactl", kTestJob);
  EXPECT_EQ(Found(ContainerNoGpu), 0U);
}

TEST_F(Given, NoContainerOrNoFrameworkIsNoMatterOfAContainer) {
  DriverLoaded();
  facts_.SetText(FactId::kJobGpuFiles, "", kTestJob);
  EXPECT_EQ(Found(ContainerNoGpu), 0U);
  facts_.SetText(FactId::kJobContainer, "overlay", kTestJob);
  facts_.jobs.front().gpu = GpuSign::kNone;
  EXPECT_EQ(Found(ContainerNoGpu), 0U) << "it needs none";
}

TEST_F(Given, AccessIsLostWhereTheGroupForbidsWhatTheJobHolds) {
  facts_.jobs.front().gpu = GpuSign::kDevice;
  facts_.SetText(FactId::kJobGpuFiles, "nvidia0 nvidiactl", kTestJob);
  facts_.SetFlag(FactId::kJobGpusAllowed, true, kTestJob);
  EXPECT_EQ(Found(ContainerGpuLost), 0U);
  facts_.SetFlag(FactId::kJobGpusAllowed, false, kTestJob);
  EXPECT_EQ(Found(ContainerGpuLost), 1U);
}

TEST_F(Given, RulesOfVersionTwoLeaveItOpenForAJobWithoutADevice) {
  facts_.SetText(FactId::kJobContainer, "overlay", kTestJob);
  facts_.SetText(FactId::kJobGpuFiles, "nvidia0 nvidiactl", kTestJob);
  facts_.Miss(FactId::kJobGpusAllowed, {Why::kNotSupported, "BPF"});
  EXPECT_EQ(Ask(ContainerGpuLost).unknowns.size(), 1U);
  facts_.jobs.front().gpu = GpuSign::kDevice;
  EXPECT_TRUE(Ask(ContainerGpuLost).unknowns.empty()) << "it computes on one";
}

TEST_F(Given, SharedMemoryOfTheJobThatIsFull) {
  facts_.Set(FactId::kMountUsed, 0.98, std::nullopt, kShm)
      .SetSource(FactId::kMountUsed, "/proc/101/root/dev/shm", kShm)
      .Set(FactId::kMountSize, 67108864, std::nullopt, kShm);
  EXPECT_EQ(Found(InputShmSmall), 0U) << "there is room";
  facts_.Set(FactId::kMountUsed, 1, std::nullopt, kShm);
  const RuleResult result = Ask(InputShmSmall);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().verify, "df -h /proc/101/root/dev/shm");
  EXPECT_EQ(result.findings.front().subject, kTestJob);
}

TEST_F(Given, ADriverThatTakesLongToStart) {
  facts_.Set(FactId::kDriverStart, 4.9, std::nullopt, kHost);
  EXPECT_EQ(Found(DriverInitSlow), 0U);
  facts_.Set(FactId::kDriverStart, 5, std::nullopt, kHost);
  EXPECT_TRUE(Ask(DriverInitSlow).findings.at(0).causes.empty());
  facts_.SetFlag(FactId::kGpuPersistence, false, kFirstGpu);
  EXPECT_EQ(Ask(DriverInitSlow).findings.at(0).causes, std::vector<std::string>{"persistence.off"});
}

TEST_F(Given, LowClocksCostWhatTheLoadersCompute) {
  facts_.Set(FactId::kHostClockLimit, 0.5, std::nullopt, kHost);
  facts_.Set(FactId::kGainCpuWork, 0.6, Interval{0.5, 0.7});
  const RuleResult result = Ask(CpuFrequencyLow);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_DOUBLE_EQ(result.findings.front().cost->share, 0.3);
  EXPECT_DOUBLE_EQ(result.findings.front().cost->high, 0.35);
  facts_.Set(FactId::kHostClockLimit, 0.95, std::nullopt, kHost);
  EXPECT_EQ(Found(CpuFrequencyLow), 0U);
}

TEST_F(Given, LowClocksOfAHostAloneBlameNoJob) {
  facts_.Set(FactId::kHostClockLimit, 0.5, std::nullopt, kHost);
  facts_.Drop(FactId::kGainCpuWork);
  EXPECT_EQ(Found(CpuFrequencyLow), 0U);
  FactSet node = facts_.Build();
  node.node_only = true;
  EXPECT_EQ(CpuFrequencyLow(node, Policy{}).findings.size(), 1U);
}

TEST_F(Given, RedirectionMattersToGpusThatTalkOverTheBus) {
  const Subject port{SubjectKind::kLink, "0000:3a:00.0"};
  facts_.SetText(FactId::kAcsRedirect, "ACSCtl: ReqRedir+", port);
  FactSet built = facts_.Build();
  EXPECT_EQ(KernelIommu(built, Policy{}).findings.size(), 1U) << "handed in: it was looked for";
  FactSet live;
  for (Fact fact : built.facts()) {
    if (fact.id == FactId::kAcsRedirect) fact.provenance.reader = "sysfs";
    live.Add(std::move(fact));
  }
  live.jobs = built.jobs;
  EXPECT_TRUE(KernelIommu(live, Policy{}).findings.empty()) << "the job uses one GPU at most";
  live.job_gpus = {kFirstGpu, {SubjectKind::kGpu, "GPU-2"}};
  EXPECT_EQ(KernelIommu(live, Policy{}).findings.size(), 1U);
  facts_.SetText(FactId::kHostHypervisor, "KVM", kHost);
  const FactSet guest = facts_.Build();
  live.Add(*guest.Find(FactId::kHostHypervisor, kHost));
  EXPECT_TRUE(KernelIommu(live, Policy{}).findings.empty()) << "a guest needs it";
}

TEST_F(Given, WithoutItsOwnCountersAGpuCannotSayThatMemoryBoundsIt) {
  facts_.Set(FactId::kGpuUtilization, 98, std::nullopt, kFirstGpu)
      .Set(FactId::kGpuMemoryUtilization, 90, std::nullopt, kFirstGpu);
  EXPECT_EQ(Found(GpuMemoryBound), 1U) << "handed-in output: a hint";
  facts_.Miss(FactId::kGpuDramActive, {Why::kNotSupported, "nvmlGpmMetricsGet"}, kFirstGpu);
  const RuleResult blind = Ask(GpuMemoryBound);
  EXPECT_TRUE(blind.findings.empty());
  ASSERT_EQ(blind.unknowns.size(), 1U);
  EXPECT_EQ(blind.unknowns.front().hides, std::vector<std::string>{"gpu.memory-bound"});
  facts_.Set(FactId::kGpuDramActive, 82, std::nullopt, kFirstGpu);
  EXPECT_EQ(Found(GpuMemoryBound), 1U);
  facts_.Set(FactId::kGpuDramActive, 45, std::nullopt, kFirstGpu);
  EXPECT_EQ(Found(GpuMemoryBound), 0U) << "time with traffic is not bandwidth";
}

TEST_F(Given, AFullGpuIsSharedWhereOthersComputeOnIt) {
  facts_.Set(FactId::kGpuUtilization, 98, std::nullopt, kFirstGpu)
      .Set(FactId::kGpuPower, 250, std::nullopt, kFirstGpu)
      .Set(FactId::kGpuOthersLoad, 9, std::nullopt, kFirstGpu);
  EXPECT_EQ(Found(GpuShared), 0U) << "a monitor";
  facts_.Set(FactId::kGpuOthersLoad, 40, std::nullopt, kFirstGpu);
  const RuleResult result = Ask(GpuShared);
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().cost->low, 0);
  EXPECT_DOUBLE_EQ(result.findings.front().cost->high, 0.4);
  facts_.Miss(FactId::kGpuOthersLoad, {Why::kNotSupported, "MIG"}, kFirstGpu);
  EXPECT_EQ(Ask(GpuShared).unknowns.size(), 1U);
  facts_.Set(FactId::kGpuOthersLoad, 40, std::nullopt, kFirstGpu);
  facts_.Set(FactId::kGpuUtilization, 60, std::nullopt, kFirstGpu);
  EXPECT_EQ(Found(GpuShared), 0U) << "it has time for both";
}

TEST_F(Given, AComputeModeThatForbidsAllOfThem) {
  facts_.SetText(FactId::kGpuComputeMode, "Exclusive_Process", kFirstGpu);
  EXPECT_EQ(Found(GpuComputeMode), 0U) << "one job has it for itself";
  facts_.SetText(FactId::kGpuComputeMode, "Prohibited", kFirstGpu);
  EXPECT_EQ(Found(GpuComputeMode), 1U);
  facts_.Set(FactId::kGpuComputeProcesses, 1, std::nullopt, kFirstGpu);
  EXPECT_EQ(Found(GpuComputeMode), 0U) << "one computes all the same";
}

TEST_F(Given, AnExclusiveComputeModeWhereCudaWasRefused) {
  facts_.SetText(FactId::kSaidDevicesBusy, "all CUDA-capable devices are busy or unavailable",
                 Subject{});
  const RuleResult unknown = GpuComputeMode(facts_.Build(), Policy{});
  EXPECT_TRUE(unknown.findings.empty());
  EXPECT_EQ(unknown.unknowns.size(), 1U) << "nothing tells the mode";
  facts_.SetText(FactId::kGpuComputeMode, "E. Process", kFirstGpu);
  const RuleResult told = GpuComputeMode(facts_.Build(), Policy{});
  EXPECT_EQ(told.findings.size(), 1U);
  EXPECT_TRUE(told.unknowns.empty());
}

TEST_F(Given, AFabricManagerThatDoesNotRunWhereNoBoardIsNamed) {
  facts_.SetText(FactId::kSaidFabricManagerFailed, "Active: inactive (dead)", Subject{});
  const RuleResult unknown = DriverFabricManager(facts_.Build(), Policy{});
  EXPECT_TRUE(unknown.findings.empty());
  EXPECT_EQ(unknown.unknowns.size(), 1U);
  facts_.SetText(FactId::kSaidSwitchBoard, "NVIDIA H100 80GB HBM3", Subject{});
  EXPECT_EQ(Found(DriverFabricManager), 1U);
}

}  // namespace
}  // namespace gpuwhy
