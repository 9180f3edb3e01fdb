#include "derive/devices.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

constexpr MonoTime At(int seconds) { return {std::chrono::seconds(seconds)}; }

class Devices : public testing::Test {
 protected:
  Devices() {
    facts_.window = {At(10), At(20), ScopePart::kWhole};
    capture_.names = {"", "GPU-1", "00000000:3B:00.0", "nvmlDeviceGetX", "P0", "P2"};
    capture_.devices.push_back({At(1), 0, 1, 2});
  }

  void Add(int seconds, GpuField field, Reading<std::int64_t> value,
           DeviceValueKind kind = DeviceValueKind::kNumber, NameId text = kNoName) {
    capture_.device_values.push_back({At(seconds), 0, field, kind, std::move(value), text, 3});
  }
  const Fact* Find(FactId id) {
    DeriveDevices(capture_, facts_);
    return facts_.Find(id, gpu_);
  }

  const Subject gpu_{SubjectKind::kGpu, "GPU-1"};
  Capture capture_;
  FactSet facts_;
};

TEST_F(Devices, LoadIsTheMeanOverTheWindow) {
  Add(5, GpuField::kUtilization, 100'000);  // while the job was looked for
  Add(11, GpuField::kUtilization, 20'000);
  Add(12, GpuField::kUtilization, 40'000);
  const Fact* load = Find(FactId::kGpuUtilization);
  ASSERT_NE(load, nullptr);
  EXPECT_EQ(load->Number(), 30);
  EXPECT_EQ(load->stat.kind, StatKind::kMean);
  EXPECT_EQ(load->stat.n, 2U);
  EXPECT_EQ(load->interval.low, 20);
  EXPECT_EQ(load->provenance.reader, "nvml");
  EXPECT_EQ(load->provenance.source, "nvmlDeviceGetX");
}

TEST_F(Devices, ACounterIsItsLastValue) {
  Add(11, GpuField::kPcieReplays, 1000);
  Add(12, GpuField::kPcieReplays, 3000);
  const Fact* replays = Find(FactId::kGpuPcieReplays);
  ASSERT_NE(replays, nullptr);
  EXPECT_EQ(replays->Number(), 3);
  EXPECT_EQ(replays->stat.kind, StatKind::kLast);
}

TEST_F(Devices, AFlagHoldsWhereItHeldHalfTheTime) {
  for (int i = 0; i < 4; ++i) {
    Add(11 + i, GpuField::kReasonSwThermal, i < 2 ? 1 : 0, DeviceValueKind::kFlag);
    Add(11 + i, GpuField::kReasonPowerCap, i < 1 ? 1 : 0, DeviceValueKind::kFlag);
  }
  const Fact* heat = Find(FactId::kGpuReasonSwThermal);
  ASSERT_NE(heat, nullptr);
  EXPECT_TRUE(std::get<bool>(*heat->value));
  EXPECT_FALSE(std::get<bool>(*facts_.Find(FactId::kGpuReasonPowerCap, gpu_)->value));
}

TEST_F(Devices, ATextIsTheOneReadMostOften) {
  Add(11, GpuField::kPstate, 1, DeviceValueKind::kText, 4);
  Add(12, GpuField::kPstate, 1, DeviceValueKind::kText, 4);
  Add(13, GpuField::kPstate, 1, DeviceValueKind::kText, 5);
  const Fact* state = Find(FactId::kGpuPstate);
  ASSERT_NE(state, nullptr);
  EXPECT_EQ(std::get<std::string>(*state->value), "P0");
}

TEST_F(Devices, WhatCouldNotBeReadIsMissingWithItsReason) {
  Add(11, GpuField::kPower, Missing{Why::kNotSupported, "nvmlDeviceGetPowerUsage: Not Supported"});
  const Fact* power = Find(FactId::kGpuPower);
  ASSERT_NE(power, nullptr);
  ASSERT_FALSE(power->value);
  EXPECT_EQ(power->value.missing().why, Why::kNotSupported);
  EXPECT_EQ(facts_.Find(FactId::kGpuUnreadable, gpu_), nullptr) << "not offered is not broken";
}

TEST_F(Devices, ASensorThatFailsIsUnreadable) {
  Add(11, GpuField::kFan, Missing{Why::kFailed, "nvmlDeviceGetFanSpeed: Unknown Error"});
  EXPECT_NE(Find(FactId::kGpuUnreadable), nullptr);
}

TEST_F(Devices, AGraphicsClientIsADisplay) {
  Add(11, GpuField::kDisplay, 0, DeviceValueKind::kFlag);
  capture_.device_processes.push_back({At(11), 0, 7, true, std::uint64_t{1024}, {}});
  capture_.device_processes.push_back({At(11), 0, 8, false, std::uint64_t{2048}, {}});
  const Fact* display = Find(FactId::kGpuDisplay);
  ASSERT_NE(display, nullptr);
  EXPECT_TRUE(std::get<bool>(*display->value));
  EXPECT_EQ(facts_.Find(FactId::kGpuProcessMemory, gpu_)->Number(), 2) << "of those that compute";
}

TEST_F(Devices, TheGpusOfAJobAreThoseItComputesOn) {
  capture_.device_processes.push_back({At(11), 0, 7, true, std::uint64_t{1024}, {}});
  capture_.device_processes.push_back({At(11), 1, 8, false, std::uint64_t{2048}, {}});
  EXPECT_EQ(GpusOf(capture_, {7}), std::vector<Subject>{}) << "it only draws";
  EXPECT_EQ(GpusOf(capture_, {8, 9}), (std::vector<Subject>{{SubjectKind::kGpu, "1"}}));
}

class OthersLoad : public Devices {
 protected:
  void List(int seconds, std::int32_t pid, Reading<std::uint32_t> sm, bool graphics = false) {
    DeviceProcess process;
    process.at = At(seconds);
    process.pid = pid;
    process.graphics = graphics;
    process.sm_percent = std::move(sm);
    capture_.device_processes.push_back(std::move(process));
  }
  const Fact* Load() {
    facts_ = {};
    facts_.window = {At(10), At(20), ScopePart::kWhole};
    DeriveOthersLoad(capture_, {7}, {gpu_}, facts_);
    return facts_.Find(FactId::kGpuOthersLoad, gpu_);
  }
};

TEST_F(OthersLoad, IsTheSumOfEachOnesMean) {
  List(2, 8, 90U);  // before the window
  List(11, 7, 50U);
  List(11, 8, 20U);
  List(19, 8, 40U);
  List(11, 9, 5U);
  List(11, 10, 80U, true);
  ASSERT_NE(Load(), nullptr);
  EXPECT_EQ(Load()->Number(), 35);
}

TEST_F(OthersLoad, TheListBeforeTheWindowCountsWhereNoneIsInIt) {
  List(2, 7, 50U);
  List(2, 8, 30U);
  ASSERT_NE(Load(), nullptr);
  EXPECT_EQ(Load()->Number(), 30);
}

TEST_F(OthersLoad, WhatIsNotToldIsMissing) {
  List(11, 8, {Why::kNotSupported, "MIG"});
  ASSERT_NE(Load(), nullptr);
  EXPECT_EQ(Load()->value.missing().why, Why::kNotSupported);
}

TEST_F(OthersLoad, AloneOnItsGpuThereIsNone) {
  List(11, 7, 50U);
  EXPECT_EQ(Load(), nullptr);
}

}  // namespace
}  // namespace gpuwhy
