#include "diagnose/rules/device/device_rules.h"

#include <gtest/gtest.h>

#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

const Subject kGpu{SubjectKind::kGpu, "GPU-1"};

/// A GPU of 300 W in training: nothing wrong with it.
class DeviceRules : public ::testing::Test {
 protected:
  DeviceRules() {
    Set(FactId::kGpuUtilization, 99);
    Set(FactId::kGpuPower, 240);
    Set(FactId::kGpuPowerLimit, 300);
    Set(FactId::kGpuPowerLimitDefault, 300);
    Set(FactId::kGpuMemoryUsed, 20000);
    Set(FactId::kGpuMemoryTotal, 46000);
    Set(FactId::kGpuSmClock, 1700);
    Set(FactId::kGpuMaxSmClock, 1740);
    Set(FactId::kGpuLinkGen, 4);
    Set(FactId::kGpuLinkGenMax, 4);
    Set(FactId::kGpuLinkWidth, 16);
    Set(FactId::kGpuLinkWidthMax, 16);
  }
  void Set(FactId id, double value) { facts_.Set(id, value, std::nullopt, kGpu); }
  using Evaluate = RuleResult (*)(const FactSet&, const Policy&);
  [[nodiscard]] bool Holds(Evaluate rule) const {
    return !rule(facts_.Build(), Policy{}).findings.empty();
  }
  void MakeIdle() {
    Set(FactId::kGpuUtilization, 0);
    Set(FactId::kGpuPower, 20);
    Set(FactId::kGpuSmClock, 210);
    facts_.SetText(FactId::kGpuPstate, "P8", kGpu);
  }

  TestFacts facts_;
};

TEST_F(DeviceRules, AWorkingGpuIsTheLimitAndNothingElse) {
  EXPECT_TRUE(Holds(GpuComputeBound));
  for (const Evaluate rule :
       {ClockPowerCap, ClockPowerLimitLowered, ClockStuckLow, ClockThermal, GpuBusyLowPower,
        GpuIdle, GpuMemoryHeldIdle, GpuWaiting, GpuUtilizationStale, PcieWidthDegraded,
        PcieGenDegraded, PcieGenIdle, PersistenceOff, EccUncorrectable, EccHistory}) {
    EXPECT_FALSE(Holds(rule));
  }
}

TEST_F(DeviceRules, ErrorsOfALinkCountWhileTheyGrow) {
  Set(FactId::kGpuAerCorrected, 5000);
  EXPECT_FALSE(Holds(PcieErrors)) << "since boot: when is not known";
  Set(FactId::kGpuAerRate, 0.9);
  EXPECT_FALSE(Holds(PcieErrors));
  Set(FactId::kGpuAerRate, 1);
  EXPECT_TRUE(Holds(PcieErrors));
}

TEST_F(DeviceRules, ANarrowWayToTheProcessorIsAPropertyOfTheMachine) {
  Set(FactId::kGpuPathShare, 1);
  EXPECT_FALSE(Holds(PcieSlotLimited));
  Set(FactId::kGpuPathShare, 0.5);
  EXPECT_TRUE(Holds(PcieSlotLimited));
  EXPECT_FALSE(Holds(PcieWidthDegraded));
}

TEST_F(DeviceRules, LanesLostAboveASwitchAreAFault) {
  facts_.SetText(FactId::kGpuPathLost, "0000:3a:00.0 - 0000:3b:00.0: x4 / x16", kGpu);
  EXPECT_TRUE(Holds(PcieWidthDegraded));
}

TEST_F(DeviceRules, OfOneMomentNoShareOfTheTimeIsSaid) {
  for (const Evaluate rule : {GpuComputeBound, ClockPowerCap}) {
    Set(FactId::kGpuPower, rule == GpuComputeBound ? 270 : 299);
    const RuleResult result = rule(facts_.Build(), Policy{});
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_TRUE(result.findings[0].at_one_moment);
    EXPECT_FALSE(result.findings[0].bound.has_value());
    EXPECT_EQ(result.findings[0].confidence, Confidence::kLow);
  }
}

TEST_F(DeviceRules, RowsOfOneOutputTellTheShare) {
  Set(FactId::kGpuSeriesLoad, 95);
  const RuleResult busy = GpuComputeBound(facts_.Build(), Policy{});
  ASSERT_EQ(busy.findings.size(), 1U);
  EXPECT_DOUBLE_EQ(busy.findings[0].bound.value_or(0), 0.95);
  EXPECT_EQ(busy.findings[0].confidence, Confidence::kMedium);
  Set(FactId::kGpuSeriesLoad, 35);
  EXPECT_FALSE(Holds(GpuComputeBound)) << "one busy row among idle ones";
  EXPECT_TRUE(Holds(GpuWaiting));
}

TEST_F(DeviceRules, ABusyMomentIsNoAnswerBesideALogThatWaitsForData) {
  const Subject log{SubjectKind::kInput, "run.log"};
  facts_.Set(FactId::kLogDataShare, 0.6, std::nullopt, log);
  const RuleResult starved = GpuComputeBound(facts_.Build(), Policy{});
  EXPECT_TRUE(starved.findings.empty());
  EXPECT_EQ(starved.unknowns.size(), 1U);
  Set(FactId::kGpuPower, 299);
  EXPECT_FALSE(Holds(ClockPowerCap));
  facts_.Set(FactId::kLogDataShare, 0.02, std::nullopt, log);
  EXPECT_TRUE(Holds(ClockPowerCap));
}

TEST_F(DeviceRules, TheCommandNamesTheBusWhereItIsKnown) {
  Set(FactId::kGpuLinkWidth, 8);
  EXPECT_EQ(PcieWidthDegraded(facts_.Build(), Policy{}).findings.at(0).verify,
            "sudo lspci -vv -d 10de:");
  TestFacts named;
  const Subject gpu{SubjectKind::kGpu, "0000:4a:00.0"};
  named.Set(FactId::kGpuLinkWidth, 8, std::nullopt, gpu);
  named.Set(FactId::kGpuLinkWidthMax, 16, std::nullopt, gpu);
  EXPECT_EQ(PcieWidthDegraded(named.Build(), Policy{}).findings.at(0).verify,
            "sudo lspci -vv -s 0000:4a:00.0");
}

TEST_F(DeviceRules, AnIdleLinkIsNoFault) {
  Set(FactId::kGpuLinkGen, 1);
  EXPECT_TRUE(Holds(PcieGenDegraded)) << "under load it is";
  MakeIdle();
  EXPECT_FALSE(Holds(PcieGenDegraded));
  EXPECT_TRUE(Holds(PcieGenIdle));
}

TEST_F(DeviceRules, LanesDoNotDropByIdling) {
  MakeIdle();
  Set(FactId::kGpuLinkWidth, 8);
  EXPECT_TRUE(Holds(PcieWidthDegraded));
}

TEST_F(DeviceRules, PowerAtTheLimitIsACapAndFarBelowItIsNot) {
  Set(FactId::kGpuPower, 299);
  EXPECT_TRUE(Holds(ClockPowerCap));
  Set(FactId::kGpuPower, 100);
  EXPECT_FALSE(Holds(ClockPowerCap));
  EXPECT_TRUE(Holds(GpuBusyLowPower));
}

TEST_F(DeviceRules, AFlagAtFullClockHoldsNothingDown) {
  facts_.SetFlag(FactId::kGpuReasonSwThermal, true, kGpu);
  facts_.SetFlag(FactId::kGpuReasonPowerBrake, true, kGpu);
  EXPECT_FALSE(Holds(ClockThermal));
  EXPECT_FALSE(Holds(ClockPowerBrake));
  Set(FactId::kGpuSmClock, 1300);
  EXPECT_TRUE(Holds(ClockThermal));
  EXPECT_TRUE(Holds(ClockPowerBrake));
}

TEST_F(DeviceRules, AMessageStandsBesideTheFigureOfTheOneGpu) {
  facts_.SetText(FactId::kSaidXidMemory, "NVRM: Xid (PCI:0000:01:00): 48", Subject{});
  const RuleResult message = EccUncorrectable(facts_.Build(), Policy{});
  ASSERT_EQ(message.findings.size(), 1U);
  EXPECT_EQ(message.findings.front().subject.kind, SubjectKind::kHost);
  Set(FactId::kGpuEccVolatileUncorrected, 1);
  const RuleResult both = EccUncorrectable(facts_.Build(), Policy{});
  ASSERT_EQ(both.findings.size(), 1U);
  EXPECT_EQ(both.findings.front().subject, kGpu);
  EXPECT_EQ(both.findings.front().evidence.back().fact.id, FactId::kSaidXidMemory);
}

TEST_F(DeviceRules, HighUtilizationWithoutAContextIsStale) {
  Set(FactId::kGpuMemoryUsed, 3);
  EXPECT_TRUE(Holds(GpuUtilizationStale));
  EXPECT_FALSE(Holds(GpuComputeBound));
  EXPECT_FALSE(Holds(GpuBusyLowPower));
}

TEST_F(DeviceRules, AnIdleClockIsNotStuckAndABusyOneIs) {
  Set(FactId::kGpuSmClock, 600);
  EXPECT_TRUE(Holds(ClockStuckLow));
  MakeIdle();
  EXPECT_FALSE(Holds(ClockStuckLow));
}

TEST_F(DeviceRules, MemoryThatIsHeldIsNotIdle) {
  MakeIdle();
  EXPECT_TRUE(Holds(GpuMemoryHeldIdle));
  EXPECT_FALSE(Holds(GpuIdle));
  Set(FactId::kGpuMemoryUsed, 2);
  EXPECT_FALSE(Holds(GpuMemoryHeldIdle));
  EXPECT_TRUE(Holds(GpuIdle));
}

TEST_F(DeviceRules, ErrorsOfThePastAreHistory) {
  Set(FactId::kGpuEccAggregateUncorrected, 4);
  Set(FactId::kGpuEccVolatileUncorrected, 0);
  EXPECT_FALSE(Holds(EccUncorrectable));
  EXPECT_TRUE(Holds(EccHistory));
  Set(FactId::kGpuEccVolatileUncorrected, 1);
  EXPECT_TRUE(Holds(EccUncorrectable));
  EXPECT_FALSE(Holds(EccHistory));
}

TEST_F(DeviceRules, AVideoEngineIsTheLimitWithoutKernels) {
  Set(FactId::kGpuUtilization, 7);
  EXPECT_FALSE(Holds(GpuVideoEngineBound));
  Set(FactId::kGpuEncoder, 99);
  EXPECT_TRUE(Holds(GpuVideoEngineBound));
  EXPECT_FALSE(Holds(GpuWaiting));
}

TEST_F(DeviceRules, LinksOfAnAbsentPeerAreToldFromBadLinks) {
  for (int gpu = 0; gpu < 3; ++gpu) {
    const Subject subject{SubjectKind::kGpu, "n" + std::to_string(gpu)};
    const double down = gpu < 2 ? 2 : 0;
    facts_.Set(FactId::kNvlinkActive, 4 - down, std::nullopt, subject);
    facts_.Set(FactId::kNvlinkInactive, down, std::nullopt, subject);
  }
  EXPECT_TRUE(Holds(GpuMissingPeer));
  EXPECT_FALSE(Holds(NvlinkDown));
  facts_.Set(FactId::kNvlinkInactive, 1, std::nullopt, Subject{SubjectKind::kGpu, "n0"});
  EXPECT_FALSE(Holds(GpuMissingPeer));
  EXPECT_TRUE(Holds(NvlinkDown));
}

TEST_F(DeviceRules, ALowClockWithoutPowerOrReasonsIsNoFault) {
  Set(FactId::kGpuSmClock, 900);  // like an L4 at its 72 W
  EXPECT_TRUE(Holds(ClockStuckLow)) << "power is known to be far from its limit";
  facts_.SetText(FactId::kGpuPower, "", kGpu);
  EXPECT_FALSE(Holds(ClockStuckLow));
  Set(FactId::kGpuSmClock, 400);
  EXPECT_TRUE(Holds(ClockStuckLow)) << "below any base clock";
}

TEST_F(DeviceRules, TwoDigitPerformanceStatesAreLow) {
  facts_.SetText(FactId::kGpuPstate, "P12", kGpu);
  Set(FactId::kGpuLinkGen, 1);
  EXPECT_FALSE(Holds(PcieGenDegraded));
  EXPECT_TRUE(Holds(PcieGenIdle));
}

TEST_F(DeviceRules, ALaptopHasEightLanesAndSleeps) {
  MakeIdle();
  facts_.SetText(FactId::kGpuName, "NVIDIA GeForce RTX 3060 Laptop GPU", kGpu);
  facts_.SetFlag(FactId::kGpuPersistence, false, kGpu);
  Set(FactId::kGpuMemoryUsed, 0);
  Set(FactId::kGpuLinkWidth, 8);
  EXPECT_FALSE(Holds(PcieWidthDegraded));
  EXPECT_TRUE(Holds(PcieSlotLimited));
  EXPECT_FALSE(Holds(PersistenceOff));
}

TEST_F(DeviceRules, CloudBoardsAreWiredWithEightLanes) {
  Set(FactId::kGpuLinkWidth, 8);
  facts_.SetText(FactId::kGpuName, "Tesla T4", kGpu);
  EXPECT_FALSE(Holds(PcieWidthDegraded));
  facts_.SetText(FactId::kGpuName, "NVIDIA A100-PCIE-40GB", kGpu);
  EXPECT_TRUE(Holds(PcieWidthDegraded));
}

TEST_F(DeviceRules, PersistenceIsJudgedOnlyWhereNobodyHoldsTheDriver) {
  MakeIdle();
  facts_.SetFlag(FactId::kGpuPersistence, false, kGpu);
  Set(FactId::kGpuMemoryUsed, 0);
  EXPECT_TRUE(Holds(PersistenceOff));
  Set(FactId::kGpuMemoryUsed, 11);
  EXPECT_FALSE(Holds(PersistenceOff)) << "the list of processes was cut off";
  Set(FactId::kGpuComputeProcesses, 0);
  EXPECT_TRUE(Holds(PersistenceOff));
}

TEST_F(DeviceRules, AThermalFlagOnAColdGpuHoldsNothingDown) {
  Set(FactId::kGpuSmClock, 900);
  facts_.SetFlag(FactId::kGpuReasonSwThermal, true, kGpu);
  Set(FactId::kGpuTemperature, 39);
  EXPECT_FALSE(Holds(ClockThermal));
  Set(FactId::kGpuTemperature, 84);
  EXPECT_TRUE(Holds(ClockThermal));
}

TEST_F(DeviceRules, TheRecoveryActionAsksForAReset) {
  facts_.SetText(FactId::kGpuRecoveryAction, "None", kGpu);
  EXPECT_FALSE(Holds(GpuResetNeeded));
  facts_.SetText(FactId::kGpuRecoveryAction, "GPU Reset", kGpu);
  EXPECT_TRUE(Holds(GpuResetNeeded));
}

TEST(NvlinkRules, AsManyLinksDownOnEachIsTheDesign) {
  const auto down = [](double first, double second) {
    TestFacts facts;
    for (const auto& [id, links] : {std::pair{"GPU-1", first}, std::pair{"GPU-2", second}}) {
      const Subject gpu{SubjectKind::kGpu, id};
      facts.Set(FactId::kNvlinkActive, 18 - links, std::nullopt, gpu);
      facts.Set(FactId::kNvlinkInactive, links, std::nullopt, gpu);
    }
    return !NvlinkDown(facts.Build(), Policy{}).findings.empty();
  };
  EXPECT_FALSE(down(6, 6));
  EXPECT_TRUE(down(0, 1));
}

TEST_F(DeviceRules, TheKernelsWordOnASlotIsJudgedByTheDriverThatItNames) {
  const auto says = [](const std::string& device) {
    TestFacts facts;
    facts.SetText(FactId::kToolMessage,
                  device +
                      " 63.008 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x8 link "
                      "at 0000:20:01.0 (capable of 252.048 Gb/s with 16.0 GT/s PCIe x16 link)",
                  Subject{SubjectKind::kInput, "pci.limited"});
    return !PcieSlotLimited(facts.Build(), Policy{}).findings.empty();
  };
  EXPECT_TRUE(says("[    4.123123] pci 0000:21:00.0:"));
  EXPECT_TRUE(says("nvidia 0000:21:00.0:"));
  EXPECT_FALSE(says("[    4.123123] mlx5_core 0000:21:00.0:")) << "a network adapter";
}

}  // namespace
}  // namespace gpuwhy
