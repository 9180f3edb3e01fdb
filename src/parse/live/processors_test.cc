#include "parse/live/processors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace gpuwhy {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class ProcessorTexts : public testing::Test {
 protected:
  ProcessorTexts() { capture_.names = {""}; }
  NameId Name(std::string text) {
    capture_.names.push_back(std::move(text));
    return static_cast<NameId>(capture_.names.size() - 1);
  }
  void Set(const std::string& path, const std::string& text, int second = 0) {
    const NameId name = Name(path);
    capture_.file_texts.push_back({{std::chrono::seconds(second)}, name, Name(text), true});
  }
  const Processors& Read() {
    ReadProcessors(capture_, inventory_);
    return inventory_.processors;
  }
  void Gpu(const std::string& address, const std::vector<std::string>& bridges) {
    PciFunction gpu;
    gpu.address = address;
    gpu.gpu = true;
    gpu.way.push_back({address, {}, {}, {}, {}});
    for (const std::string& bridge : bridges) gpu.way.push_back({bridge, {}, {}, {}, {}});
    inventory_.functions.push_back(gpu);
  }

  Capture capture_;
  Inventory inventory_;
};

TEST_F(ProcessorTexts, OfCpuinfoOnlyTheFirstModelAndTheHypervisor) {
  const std::string text =
      "processor\t: 0\nmodel name\t: EPYC 9654\nflags\t\t: fpu hypervisor lm\n\n"
      "processor\t: 1\nmodel name\t: other\n";
  EXPECT_EQ(KnownCpuLines(text), "model name\t: EPYC 9654\nhypervisor\n");
  EXPECT_EQ(KnownCpuLines("flags\t: fpu nohypervisor\n"), "");
  Set("/proc/cpuinfo", KnownCpuLines(text));
  EXPECT_EQ(Read().model, "EPYC 9654");
  EXPECT_EQ(inventory_.processors.hypervisor, "hypervisor");
}

TEST_F(ProcessorTexts, OfTheCommandLineOnlyKnownWords) {
  EXPECT_EQ(KnownKernelWords("root=/dev/sda password=x intel_iommu=on iommu=pt quiet"),
            "intel_iommu=on\niommu=pt\n");
  Set("/proc/cmdline", "isolcpus=1\nintel_iommu=on\niommu=pt\n");
  EXPECT_EQ(Read().iommu, "intel_iommu=on iommu=pt");
}

TEST_F(ProcessorTexts, CoresAndSockets) {
  Set("/sys/devices/system/cpu/cpu*/topology", "0 0,4\n0 1,5\n1 2,6\n1 3,7\n");
  Set("/sys/devices/system/node/online", "0-1\n");
  EXPECT_EQ(Read().cores, Reading<double>(4.0));
  EXPECT_EQ(inventory_.processors.sockets, Reading<double>(2.0));
  EXPECT_EQ(inventory_.processors.nodes, Reading<double>(2.0));
}

TEST_F(ProcessorTexts, TheLowestClockLimitIsNamed) {
  Set("/sys/devices/system/cpu/cpufreq/policy*",
      "policy0 performance 3600000 3600000\npolicy1 powersave 1800000 3600000\nbroken\n");
  EXPECT_EQ(Read().clock_limit, Reading<double>(0.5));
  EXPECT_EQ(inventory_.processors.limited_by,
            "/sys/devices/system/cpu/cpufreq/policy1/scaling_max_freq");
}

TEST_F(ProcessorTexts, WhatMakesNoSenseIsMissing) {
  Set("/sys/devices/system/cpu/cpufreq/policy*", "policy0 performance 0 0\n");
  Set("/sys/devices/system/cpu/cpu*/topology", "\n");
  EXPECT_FALSE(Read().clock_limit);
  EXPECT_FALSE(inventory_.processors.cores);
  EXPECT_FALSE(inventory_.processors.nodes);
}

TEST_F(ProcessorTexts, ThrottlesAreARateBetweenTwoLooks) {
  const std::string path = "/sys/devices/system/cpu/cpu*/thermal_throttle";
  Set(path, "100\n", 0);
  EXPECT_FALSE(Read().throttles) << "one look";
  Set(path, "140\n", 10);
  EXPECT_EQ(Read().throttles, Reading<double>(4.0));
  Set(path, "90\n", 20);
  EXPECT_EQ(Read().throttles.missing().why, Why::kWentBackwards);
}

TEST_F(ProcessorTexts, GpusAsTheKernelDriverListsThem) {
  Set("/proc/driver/nvidia/gpus/0000:3b:00.0/information",
      "Model: \t\t NVIDIA A100-SXM4-80GB\nIRQ:   \t\t 66\nGPU UUID: \t GPU-1\n"
      "Bus Location: \t 0000:3b:00.0\n");
  Set("/proc/driver/nvidia/gpus/0000:5e:00.0/information",
      "Model: \t\t Unknown\nGPU UUID: \t GPU-?-?\nBus Location: \t 0000:5e:00.0\n");
  Set("/proc/driver/nvidia/gpus/x/information", "nonsense\n");
  static_cast<void>(Read());
  ASSERT_THAT(inventory_.driver_gpus, SizeIs(2));
  EXPECT_EQ(inventory_.driver_gpus[0].name, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(inventory_.driver_gpus[0].uuid, "GPU-1");
  EXPECT_EQ(inventory_.driver_gpus[1].uuid, "") << "not started yet";
}

TEST_F(ProcessorTexts, APortRedirectsWhereTwoGpusMeetAboveIt) {
  Gpu("0000:3b:00.0", {"0000:3a:00.0", "0000:39:00.0"});
  Gpu("0000:3d:00.0", {"0000:3a:01.0", "0000:39:00.0"});
  Gpu("0000:b0:00.0", {"0000:a0:00.0"});
  Set("/sys/bus/pci/devices/0000:3a:00.0/config", "ACSCtl: SrcValid+ ReqRedir+\n");
  Set("/sys/bus/pci/devices/0000:3a:01.0/config", "ACSCtl: SrcValid+ ReqRedir-\n");
  Set("/sys/bus/pci/devices/0000:a0:00.0/config", "ACSCtl: SrcValid+ ReqRedir+\n");
  static_cast<void>(Read());
  ASSERT_THAT(inventory_.redirects, SizeIs(1)) << "the third GPU meets none";
  EXPECT_EQ(inventory_.redirects[0].path, "0000:3a:00.0");
}

TEST_F(ProcessorTexts, WithoutTextsNothingIsKnown) {
  EXPECT_FALSE(Read().cores);
  EXPECT_FALSE(inventory_.processors.throttles);
  EXPECT_THAT(inventory_.driver_gpus, IsEmpty());
}

}  // namespace
}  // namespace gpuwhy
