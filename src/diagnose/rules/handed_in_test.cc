// The rules on handed-in texts, each with a near miss.
#include <gtest/gtest.h>

#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/log_too_few_workers.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/step/step_rules.h"
#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

const Subject kLog{SubjectKind::kInput, "run.log"};
const Subject kHost;
constexpr double kGiB = 1024.0 * 1024 * 1024;

bool Holds(const RuleResult& result) { return !result.findings.empty(); }

TEST(StepInputBound, HoldsFromATenthOfTheStep) {
  TestFacts facts;
  facts.Set(FactId::kLogDataShare, 0.4, std::nullopt, kLog);
  const RuleResult result = StepInputBound(facts.Build(), {});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_DOUBLE_EQ(result.findings[0].cost->share, 0.4);
  facts.Set(FactId::kLogDataShare, 0.04, std::nullopt, kLog);
  EXPECT_FALSE(Holds(StepInputBound(facts.Build(), {})));
}

TEST(LogTooFewWorkers, NeedsAWaitForData) {
  TestFacts facts;
  facts.SetText(FactId::kSaidLoaderWorkersFew, "num_workers=0", kHost);
  EXPECT_FALSE(Holds(LogTooFewWorkers(facts.Build(), {})));
  facts.Set(FactId::kLogDataShare, 0.4, std::nullopt, kLog);
  EXPECT_TRUE(Holds(LogTooFewWorkers(facts.Build(), {})));
}

TEST(StepComputeBound, NotWhereTheStepWaitsForData) {
  TestFacts facts;
  facts.Set(FactId::kLogComputeShare, 0.85, std::nullopt, kLog);
  EXPECT_TRUE(Holds(StepComputeBound(facts.Build(), {})));
  facts.Set(FactId::kLogDataShare, 0.12, std::nullopt, kLog);
  EXPECT_FALSE(Holds(StepComputeBound(facts.Build(), {})));
}

TestFacts Refused(double request, double free, double total, double reserved, double spare,
                  double elsewhere) {
  TestFacts facts;
  facts.SetText(FactId::kAllocLine, "CUDA out of memory", kLog);
  facts.Set(FactId::kAllocRequest, request * kGiB, std::nullopt, kLog);
  facts.Set(FactId::kAllocFree, free * kGiB, std::nullopt, kLog);
  facts.Set(FactId::kAllocTotal, total * kGiB, std::nullopt, kLog);
  facts.Set(FactId::kAllocReserved, reserved * kGiB, std::nullopt, kLog);
  facts.Set(FactId::kAllocUnallocated, spare * kGiB, std::nullopt, kLog);
  facts.Set(FactId::kAllocElsewhere, elsewhere * kGiB, std::nullopt, kLog);
  return facts;
}

TEST(RefusedAllocation, OneCauseByTheArithmetic) {
  const FactSet full = Refused(2, 0.5, 40, 38, 0.3, 1).Build();
  EXPECT_TRUE(Holds(VramTooSmall(full, {})));
  EXPECT_FALSE(Holds(VramFragmented(full, {})));
  const FactSet pieces = Refused(2, 0.5, 40, 38, 9, 1).Build();
  EXPECT_TRUE(Holds(VramFragmented(pieces, {})));
  EXPECT_FALSE(Holds(VramTooSmall(pieces, {})));
  const FactSet others = Refused(0.3, 0.1, 24, 2, 0.1, 21).Build();
  EXPECT_TRUE(Holds(VramOtherProcess(others, {})));
  EXPECT_FALSE(Holds(VramTooSmall(others, {})));
  const FactSet roomy = Refused(0.3, 20, 24, 2, 0.1, 1).Build();
  EXPECT_TRUE(Holds(VramLimitElsewhere(roomy, {})));
  EXPECT_FALSE(Holds(VramTooSmall(roomy, {})));
}

TEST(RefusedAllocation, ANearlyFullDeviceHasItsLastPartInPieces) {
  const FactSet facts = Refused(0.2, 0.5, 32, 28, 1, 3).Build();
  EXPECT_FALSE(Holds(VramLimitElsewhere(facts, {})));
  EXPECT_TRUE(Holds(VramTooSmall(facts, {})));
}

TEST(PrecisionUnstable, AScaleThatHalvesAboveOneIsProbing) {
  TestFacts facts;
  facts.SetText(FactId::kSaidScaleLowered, "reducing loss scale to 4096", kHost);
  facts.Set(FactId::kLogLossScale, 4096, std::nullopt, kLog);
  EXPECT_FALSE(Holds(PrecisionUnstable(facts.Build(), {})));
  EXPECT_TRUE(Holds(PrecisionScaleProbing(facts.Build(), {})));
  facts.Set(FactId::kLogLossScale, 1e-9, std::nullopt, kLog);
  EXPECT_TRUE(Holds(PrecisionUnstable(facts.Build(), {})));
  EXPECT_FALSE(Holds(PrecisionScaleProbing(facts.Build(), {})));
}

TEST(DriverFabricManager, AGraphicsCardNeedsNone) {
  TestFacts facts;
  facts.SetText(FactId::kSaidFabricManagerFailed, "failed", kHost);
  facts.SetText(FactId::kSaidGraphicsCard, "GeForce", kHost);
  EXPECT_FALSE(Holds(DriverFabricManager(facts.Build(), {})));
  EXPECT_TRUE(Holds(DriverFabricManagerUnneeded(facts.Build(), {})));
  facts.SetText(FactId::kSaidSwitchBoard, "A100-SXM", kHost);
  EXPECT_TRUE(Holds(DriverFabricManager(facts.Build(), {})));
  EXPECT_FALSE(Holds(DriverFabricManagerUnneeded(facts.Build(), {})));
}

TEST(DriverNotLoaded, ItsCauseIsNamedInstead) {
  TestFacts facts;
  facts.SetText(FactId::kSaidDriverNotLoaded, "couldn't communicate", kHost);
  EXPECT_TRUE(Holds(DriverNotLoaded(facts.Build(), {})));
  facts.SetText(FactId::kSaidKeyRejected, "Key was rejected", kHost);
  EXPECT_FALSE(Holds(DriverNotLoaded(facts.Build(), {})));
  EXPECT_TRUE(Holds(DriverSecureBoot(facts.Build(), {})));
}

TEST(DriverLibraryMismatch, ALineThatTwoReadersTookIsCitedOnce) {
  TestFacts facts;
  facts.SetText(FactId::kSaidLibraryMismatch, "version mismatch", kHost);
  facts.SetText(FactId::kToolMessage, "version mismatch",
                {SubjectKind::kInput, "smi.library-mismatch"});
  facts.SetText(FactId::kToolMessage, "no devices", {SubjectKind::kInput, "smi.no-devices"});
  const RuleResult result = DriverLibraryMismatch(facts.Build(), {});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings.front().evidence.size(), 1U);
}

TEST(DriverUvmMissing, AMissingModuleIsAFaultOnceSomethingAskedForIt) {
  TestFacts facts;
  facts.SetText(FactId::kModuleLoaded, "nvidia", {SubjectKind::kInput, "nvidia"});
  const RuleResult listed = DriverUvmMissing(facts.Build(), {});
  ASSERT_EQ(listed.findings.size(), 1U);
  EXPECT_EQ(listed.findings.front().confidence, Confidence::kLow);
  facts.SetText(FactId::kSaidUvmMissing, "/dev/nvidia-uvm: No such file", kHost);
  const RuleResult asked = DriverUvmMissing(facts.Build(), {});
  ASSERT_EQ(asked.findings.size(), 1U);
  EXPECT_EQ(asked.findings.front().confidence, Confidence::kHigh);
  EXPECT_EQ(asked.findings.front().evidence.size(), 2U);
}

TEST(NcclSocketFallback, NeedsAnRdmaDevice) {
  TestFacts facts;
  facts.SetText(FactId::kSaidSocketUsed, "Using network Socket", kHost);
  facts.SetText(FactId::kSaidNoIbDevice, "No device found", kHost);
  EXPECT_FALSE(Holds(NcclSocketFallback(facts.Build(), {})));
  facts.SetText(FactId::kPortActive, "mlx5_0: State: Active", kLog);
  EXPECT_TRUE(Holds(NcclSocketFallback(facts.Build(), {})));
}

TEST(NcclSocketFallback, ADeviceThatNcclListedItselfIsProof) {
  TestFacts facts;
  facts.SetText(FactId::kSaidSocketUsed, "Using network Socket", kHost);
  facts.SetText(FactId::kSaidIbDevice, "NET/IB : Using [0]mlx5_4:1/IB", kHost);
  EXPECT_TRUE(Holds(NcclSocketFallback(facts.Build(), {})));
  facts.SetText(FactId::kSaidFabricUsed, "Using network IB", kHost);
  EXPECT_FALSE(Holds(NcclSocketFallback(facts.Build(), {}))) << "another communicator has it";
}

TEST(NcclSocketFallback, WhereNoDeviceIsProvenItIsSaidWhatIsNotKnown) {
  TestFacts facts;
  facts.SetText(FactId::kSaidSocketUsed, "Channel 00 : 0[0] -> 1[0] via NET/Socket/0", kHost);
  facts.SetText(FactId::kSaidNoIbDevice, "NET/IB : No device found", kHost);
  EXPECT_EQ(NcclSocketFallback(facts.Build(), {}).unknowns.size(), 1U);
}

TEST(NcclP2pDisabled, StandsBesideTheSettingThatMayBeItsCause) {
  TestFacts facts;
  facts.SetText(FactId::kSaidP2pDisabled, "P2P is disabled between connected GPUs 3 and 2", kHost);
  const RuleResult alone = NcclP2pDisabled(facts.Build(), {});
  ASSERT_EQ(alone.findings.size(), 1U);
  EXPECT_TRUE(alone.findings[0].causes.empty());
  EXPECT_FALSE(Holds(EnvNccl(facts.Build(), {})));
  facts.SetText(FactId::kSaidNcclSetting, "NCCL_P2P_DISABLE set by environment to 1", kHost);
  EXPECT_TRUE(Holds(EnvNccl(facts.Build(), {})));
  // The vocabulary knows no such cause of it: both are said.
  EXPECT_TRUE(Holds(NcclP2pDisabled(facts.Build(), {})));
}

TEST(XidHardware, AnXidThatProvesNothingIsStillSaid) {
  TestFacts facts;
  facts.SetText(FactId::kSaidXidVictim, "NVRM: Xid (PCI:0000:5e:00): 92, Ch 00000008", kHost);
  const RuleResult result = XidHardware(facts.Build(), {});
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
  EXPECT_NE(result.unknowns[0].what.find("Xid 92 on GPU 0000:5e:00"), std::string::npos)
      << result.unknowns[0].what;
}

TEST(XidApplication, CarriesItsNumber) {
  TestFacts facts;
  facts.SetText(FactId::kSaidXidApplication, "NVRM: Xid (PCI:0000:5e:00): 31, pid=9", kHost);
  EXPECT_NE(XidApplication(facts.Build(), {}).findings.at(0).title.find("(Xid 31)"),
            std::string::npos);
}

TEST(JobCrashed, AKernelThatDidSomethingIllegalIsTheAnswerBesideItsXid) {
  TestFacts facts;
  facts.SetText(FactId::kSaidProgramFault, "an illegal memory access was encountered", kHost);
  facts.SetText(FactId::kSaidXidApplication, "NVRM: Xid (PCI:0000:5e:00): 31, pid=9", kHost);
  EXPECT_TRUE(Holds(JobCrashed(facts.Build(), {})));
  facts.SetText(FactId::kSaidEcc, "uncorrectable ECC error encountered", kHost);
  EXPECT_FALSE(Holds(JobCrashed(facts.Build(), {}))) << "that one is not the program's";
}

TEST(JobCrashed, AWorkerThatTheKernelKilledDidNotDieByItself) {
  TestFacts facts;
  facts.SetText(FactId::kSaidLoaderDied, "DataLoader worker exited unexpectedly", kHost);
  EXPECT_TRUE(Holds(JobCrashed(facts.Build(), {})));
  facts.SetText(FactId::kSaidMemcgKill, "Memory cgroup out of memory", kHost);
  EXPECT_FALSE(Holds(JobCrashed(facts.Build(), {})));
}

TEST(EnvVisibleDevices, NotWhereAnotherReasonForNoGpuIsNamed) {
  TestFacts facts;
  facts.SetText(FactId::kSaidNoDevice, "No CUDA GPUs are available", kHost);
  const RuleResult alone = EnvVisibleDevices(facts.Build(), {});
  ASSERT_EQ(alone.findings.size(), 1U);
  EXPECT_EQ(alone.findings[0].confidence, Confidence::kLow);
  facts.SetText(FactId::kSaidDriverNotLoaded, "couldn't communicate", kHost);
  EXPECT_FALSE(Holds(EnvVisibleDevices(facts.Build(), {})));
}

TEST(PcieErrors, WhatTheLinkRepairedIsNoFault) {
  TestFacts facts;
  facts.SetText(FactId::kSaidAerError, "AER: Corrected error received: 0000:21:00.0", kHost);
  const RuleResult corrected = PcieErrors(facts.Build(), {});
  EXPECT_TRUE(corrected.findings.empty());
  EXPECT_EQ(corrected.unknowns.size(), 1U);
  facts.SetText(FactId::kSaidAerError, "AER: Uncorrectable (Fatal) error received", kHost);
  EXPECT_TRUE(Holds(PcieErrors(facts.Build(), {})));
}

TEST(DriverHung, ABlockedTaskAloneIsSaidAsNotKnown) {
  TestFacts facts;
  facts.SetText(FactId::kSaidHungTask, "task loader:7 blocked for more than 241 seconds", kHost);
  EXPECT_EQ(DriverHung(facts.Build(), {}).unknowns.size(), 1U);
  facts.SetText(FactId::kSaidXidVictim, "NVRM: Xid (PCI:0000:5e:00): 45", kHost);
  EXPECT_TRUE(Holds(DriverHung(facts.Build(), {})));
}

TEST(JobStuck, NotWhereStepsGoOn) {
  TestFacts facts;
  facts.SetText(FactId::kSaidLoaderGet, "_try_get_data", kHost);
  EXPECT_TRUE(Holds(JobStuck(facts.Build(), {})));
  facts.Set(FactId::kLogSteps, 12, std::nullopt, kLog);
  EXPECT_FALSE(Holds(JobStuck(facts.Build(), {})));
}

TEST(NetLinkDegraded, APortThatIsSwitchedOffIsNoFault) {
  TestFacts facts;
  facts.SetText(FactId::kPortActive, "mlx5_0: State: Active", kLog);
  facts.SetText(FactId::kPortDown, "mlx5_1: State: Down, Physical state: Disabled", kLog);
  EXPECT_FALSE(Holds(NetLinkDegraded(facts.Build(), {})));
  facts.SetText(FactId::kPortDown, "mlx5_1: State: Down, Physical state: Polling", kLog);
  EXPECT_TRUE(Holds(NetLinkDegraded(facts.Build(), {})));
}

TEST(TopoP2pUnavailable, NeedsARefusedPairOfBoardsThatCan) {
  TestFacts facts;
  facts.Set(FactId::kPeersAsked, 12, std::nullopt, kHost);
  facts.Set(FactId::kPeersRefused, 0, std::nullopt, kHost);
  EXPECT_FALSE(Holds(TopoP2pUnavailable(facts.Build(), {})));
  facts.Set(FactId::kPeersRefused, 2, std::nullopt, kHost);
  EXPECT_TRUE(Holds(TopoP2pUnavailable(facts.Build(), {})));
  facts.SetText(FactId::kSaidGraphicsCard, "GeForce", kHost);
  EXPECT_FALSE(Holds(TopoP2pUnavailable(facts.Build(), {})));
}

TEST(TopoP2pSlower, OnlyClearlyBelowTheStagedRate) {
  TestFacts facts;
  facts.Set(FactId::kP2pStaged, 20e9, std::nullopt, kLog);
  facts.Set(FactId::kP2pDirect, 19e9, std::nullopt, kLog);
  EXPECT_FALSE(Holds(TopoP2pSlower(facts.Build(), {})));
  facts.Set(FactId::kP2pDirect, 8e9, std::nullopt, kLog);
  EXPECT_TRUE(Holds(TopoP2pSlower(facts.Build(), {})));
}

}  // namespace
}  // namespace gpuwhy
