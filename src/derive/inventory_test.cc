#include "derive/inventory.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

PciHop Hop(const std::string& address, double speed, double width) {
  return {address, speed, speed, width, width};
}

class InventoryFacts : public testing::Test {
 protected:
  InventoryFacts() {
    PciFunction gpu;
    gpu.address = "0000:3d:00.0";
    gpu.path = "/sys/bus/pci/devices/0000:3d:00.0";
    gpu.gpu = gpu.nvidia = true;
    // The card in a switch, the switch in the processor.
    gpu.way = {Hop("0000:3d:00.0", 16, 16), Hop("0000:3c:00.0", 16, 16),
               Hop("0000:3b:00.0", 16, 16), Hop("0000:3a:00.0", 16, 16)};
    capture_.inventory.functions.push_back(gpu);
  }
  PciFunction& Gpu() { return capture_.inventory.functions.front(); }
  const Fact* Find(FactId id) {
    DeriveInventory(capture_, facts_);
    return facts_.Find(id, subject_);
  }

  Subject subject_{SubjectKind::kGpu, "0000:3d:00.0"};
  Capture capture_;
  FactSet facts_;
};

TEST_F(InventoryFacts, AWayAsWideAsTheCardLosesNothing) {
  const Fact* share = Find(FactId::kGpuPathShare);
  ASSERT_NE(share, nullptr);
  EXPECT_EQ(share->Number(), 1);
  EXPECT_EQ(facts_.Find(FactId::kGpuPathLost, subject_), nullptr);
}

TEST_F(InventoryFacts, TheNarrowestLinkIsNamed) {
  Gpu().way[3].speed_able = 8.0;  // the port of the processor
  Gpu().way[3].width_able = 8.0;
  const Fact* share = Find(FactId::kGpuPathShare);
  ASSERT_NE(share, nullptr);
  EXPECT_EQ(share->Number(), 0.25);
  EXPECT_EQ(std::get<std::string>(*facts_.Find(FactId::kGpuPathNarrowest, subject_)->value),
            "0000:3a:00.0 - 0000:3b:00.0: 8 GT/s x8, 16 GT/s x16");
}

TEST_F(InventoryFacts, AMadeUpPortOfAVirtualMachineIsNotBelieved) {
  Gpu().way[1].speed_able = 2.5;
  Gpu().way[1].width_able = 1.0;
  EXPECT_EQ(Find(FactId::kGpuPathShare), nullptr) << "the card runs at 16 GT/s x16 behind it";
}

TEST_F(InventoryFacts, LanesLostAboveTheSwitchAreSaid) {
  Gpu().way[2].width_now = 4.0;
  Gpu().way[3].width_now = 4.0;
  const Fact* lost = Find(FactId::kGpuPathLost);
  ASSERT_NE(lost, nullptr);
  EXPECT_EQ(std::get<std::string>(*lost->value), "0000:3a:00.0 - 0000:3b:00.0: x4 / x16");
  EXPECT_EQ(facts_.Find(FactId::kGpuPathShare, subject_)->Number(), 1) << "it could carry more";
}

TEST_F(InventoryFacts, WithoutTheDriverTheBusTellsTheLink) {
  Gpu().way[0].width_now = 8.0;
  Gpu().way[0].speed_now = 2.5;
  const Fact* width = Find(FactId::kGpuLinkWidth);
  ASSERT_NE(width, nullptr);
  EXPECT_EQ(width->Number(), 8);
  EXPECT_EQ(facts_.Find(FactId::kGpuLinkGen, subject_)->Number(), 1);
  EXPECT_EQ(facts_.Find(FactId::kGpuLinkGenMax, subject_)->Number(), 4);
}

TEST_F(InventoryFacts, TheDriversOwnFiguresComeFirst) {
  capture_.names = {"", "GPU-1", "00000000:3D:00.0"};
  capture_.devices.push_back({{}, 0, 1, 2});
  subject_.id = "GPU-1";
  Fact told;
  told.id = FactId::kGpuLinkWidth;
  told.subject = subject_;
  told.value = FactValue(16.0);
  facts_.Add(told);
  Gpu().numa_node = 1.0;
  const Fact* node = Find(FactId::kGpuNumaNode);
  ASSERT_NE(node, nullptr) << "one device, by its uuid";
  EXPECT_EQ(facts_.All(FactId::kGpuLinkWidth).size(), 1U);
}

TEST_F(InventoryFacts, ErrorsOfTheLink) {
  Gpu().corrected = 140.0;
  Gpu().corrected_rate = 4.0;
  const Fact* rate = Find(FactId::kGpuAerRate);
  ASSERT_NE(rate, nullptr);
  EXPECT_EQ(rate->Number(), 4);
  EXPECT_EQ(facts_.Find(FactId::kGpuAerCorrected, subject_)->Number(), 140);
  EXPECT_EQ(facts_.Find(FactId::kGpuAerUncorrected, subject_), nullptr) << "not told is not 0";
}

TEST_F(InventoryFacts, ABusThatTellsNothingGivesNoFact) {
  Gpu().way = {PciHop{"0000:3d:00.0", {}, {}, {}, {}}};
  EXPECT_EQ(Find(FactId::kGpuPathShare), nullptr);
  EXPECT_EQ(facts_.Find(FactId::kGpuLinkWidth, subject_), nullptr);
}

class ProcessorFacts : public testing::Test {
 protected:
  const Fact* Find(FactId id) {
    facts_ = {};
    DeriveInventory(capture_, facts_);
    return facts_.Find(id, Subject{});
  }
  Capture capture_;
  FactSet facts_;
};

TEST_F(ProcessorFacts, AreToldWithTheirFiles) {
  Processors& seen = capture_.inventory.processors;
  seen.model = "EPYC 9654";
  seen.sockets = 2.0;
  seen.cores = 192.0;
  seen.clock_limit = 0.5;
  seen.limited_by = "/sys/devices/system/cpu/cpufreq/policy7/scaling_max_freq";
  seen.throttles = 3.0;
  ASSERT_NE(Find(FactId::kHostClockLimit), nullptr);
  EXPECT_EQ(Find(FactId::kHostClockLimit)->provenance.source, seen.limited_by);
  EXPECT_EQ(Find(FactId::kHostCores)->Number(), 192);
  EXPECT_EQ(Find(FactId::kHostSockets)->Number(), 2);
  EXPECT_EQ(Find(FactId::kHostThrottles)->stat.kind, StatKind::kMean);
}

TEST_F(ProcessorFacts, WhatWasNotReadIsNoFact) {
  for (const FactId id : {FactId::kHostCpuModel, FactId::kHostCores, FactId::kHostClockLimit,
                          FactId::kHostThrottles, FactId::kHostIommu, FactId::kHostHypervisor}) {
    EXPECT_EQ(Find(id), nullptr) << Id(id);
  }
}

TEST_F(ProcessorFacts, AHypervisorIsNamedByTheMachineWhereItTells) {
  capture_.inventory.settings = {{"/sys/class/dmi/id/product_name", "KVM"}};
  EXPECT_EQ(Find(FactId::kHostHypervisor), nullptr) << "a product's name alone is no hypervisor";
  capture_.inventory.processors.hypervisor = "hypervisor";
  EXPECT_EQ(std::get<std::string>(*Find(FactId::kHostHypervisor)->value), "KVM");
}

TEST_F(ProcessorFacts, GpusOfTheKernelDriverCountWhereTheLibraryIsSilent) {
  capture_.inventory.driver_gpus = {{"0000:3b:00.0", "/proc/driver/nvidia/gpus/x", "A100", ""}};
  const Subject gpu{SubjectKind::kGpu, "0000:3b:00.0"};
  static_cast<void>(Find(FactId::kGpuName));
  ASSERT_NE(facts_.Find(FactId::kGpuName, gpu), nullptr);
  EXPECT_EQ(facts_.Find(FactId::kGpuName, gpu)->provenance.reader, "procfs");
}

TEST_F(ProcessorFacts, ARedirectingPortIsOneOfTheBus) {
  capture_.inventory.redirects = {{"0000:3a:00.0", "ACSCtl: ReqRedir+"}};
  static_cast<void>(Find(FactId::kAcsRedirect));
  const Fact* fact = facts_.Find(FactId::kAcsRedirect, {SubjectKind::kLink, "0000:3a:00.0"});
  ASSERT_NE(fact, nullptr);
  EXPECT_EQ(fact->provenance.reader, "sysfs");
}

}  // namespace
}  // namespace gpuwhy
