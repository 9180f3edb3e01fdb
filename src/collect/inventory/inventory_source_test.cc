#include "collect/inventory_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <map>
#include <string>

#include "os/fake_clock.h"
#include "os/fake_file_tree.h"
#include "os/fake_kernel_ipc.h"
#include "os/fake_process_memory.h"

namespace gpuwhy {
namespace {

using testing::IsEmpty;

constexpr const char* kGpu = "/sys/bus/pci/devices/0000:3b:00.0";

class InventorySource : public testing::Test {
 protected:
  InventorySource() {
    files_.Set(std::string(kGpu) + "/class", "0x030200\n");
    files_.Set(std::string(kGpu) + "/vendor", "0x10de\n");
    files_.Set(std::string(kGpu) + "/current_link_width", "16\n");
    files_.Set(std::string(kGpu) + "/aer_dev_correctable", "TOTAL_ERR_COR 1\n");
    files_.SetLink(kGpu, "../../../devices/pci0000:3a/0000:3a:00.0/0000:3b:00.0");
    files_.Set("/sys/bus/pci/devices/0000:3a:00.0/class", "0x060400\n");
    files_.Set("/sys/bus/pci/devices/0000:3a:00.0/vendor", "0x8086\n");
    files_.Set("/sys/bus/pci/devices/0000:3a:00.0/max_link_width", "16\n");
    files_.Set("/proc/modules", "nvidia 1 0 - Live\n");
  }
  /// By path; of one that was read twice the last text.
  std::map<std::string, std::string> Texts() {
    const std::vector<std::string> names = names_.NamesFrom(0);
    std::map<std::string, std::string> texts;
    for (const FileText& text : capture_.file_texts) {
      texts[names.at(text.path)] = text.read ? names.at(text.text) : "missing";
    }
    return texts;
  }

  FakeFileTree files_;
  FakeClock clock_;
  FakeProcessMemory memory_;
  FakeKernelIpc ipc_;
  Interner names_;
  Capture capture_;
  std::unique_ptr<Source> source_ = MakeInventorySource({files_, clock_, memory_, ipc_}, names_);
};

TEST_F(InventorySource, KeepsTheFilesOfAGpuAndOfTheBridgesAboveIt) {
  EXPECT_THAT(source_->Look(capture_), IsEmpty());
  std::map<std::string, std::string> texts = Texts();
  EXPECT_EQ(texts[std::string(kGpu) + "/current_link_width"], "16\n");
  EXPECT_EQ(texts["/sys/bus/pci/devices/0000:3a:00.0/max_link_width"], "16\n");
  EXPECT_EQ(texts["/proc/modules"], "nvidia 1 0 - Live\n");
  EXPECT_FALSE(texts.contains("/sys/bus/pci/devices/0000:3a:00.0/class")) << "a bridge by itself";
}

TEST_F(InventorySource, AtTheEndOnlyErrorCountersAreReadAgain) {
  static_cast<void>(source_->Look(capture_));
  const std::size_t first = capture_.file_texts.size();
  files_.Set(std::string(kGpu) + "/aer_dev_correctable", "TOTAL_ERR_COR 9\n");
  static_cast<void>(source_->Look(capture_));
  EXPECT_EQ(capture_.file_texts.size(), first + 1);
  EXPECT_EQ(Texts()[std::string(kGpu) + "/aer_dev_correctable"], "TOTAL_ERR_COR 9\n");
}

TEST_F(InventorySource, WhatMayNotBeReadIsKeptAsMissing) {
  files_.Fail(std::string(kGpu) + "/current_link_width", EACCES);
  static_cast<void>(source_->Look(capture_));
  EXPECT_EQ(Texts()[std::string(kGpu) + "/current_link_width"], "missing");
}

TEST_F(InventorySource, AHostWithoutABusIsNoBlindSpot) {
  files_.Remove("/sys");
  EXPECT_THAT(source_->Look(capture_), IsEmpty());
}

TEST_F(InventorySource, ABusThatMayNotBeListedIsOne) {
  files_.Fail("/sys/bus/pci/devices", EACCES);
  EXPECT_EQ(source_->Look(capture_).at(0).why, Why::kNoPermission);
}

TEST_F(InventorySource, ProcessorsBecomeOneTextOfEachKind) {
  const std::string cpus = "/sys/devices/system/cpu";
  files_.Set(cpus + "/online", "0-3\n");
  for (const int cpu : {0, 1, 2, 3}) {
    const std::string folder = cpus + "/cpu" + std::to_string(cpu);
    files_.Set(folder + "/topology/thread_siblings_list", cpu % 2 == 0 ? "0,2\n" : "1,3\n");
    files_.Set(folder + "/topology/physical_package_id", "0\n");
    files_.Set(folder + "/thermal_throttle/core_throttle_count", "5\n");
  }
  files_.Set(cpus + "/cpufreq/policy0/scaling_max_freq", "2000\n");
  files_.Set(cpus + "/cpufreq/policy0/cpuinfo_max_freq", "3000\n");
  files_.Set("/proc/cpuinfo", "model name\t: X\nflags\t: a hypervisor\n\nmodel name\t: Y\n");
  files_.Set("/proc/cmdline", "password=x iommu=pt\n");
  static_cast<void>(source_->Look(capture_));
  std::map<std::string, std::string> texts = Texts();
  EXPECT_EQ(texts[cpus + "/cpu*/topology"], "0 0,2\n0 1,3\n");
  EXPECT_EQ(texts[cpus + "/cpufreq/policy*"], "policy0 - 2000 3000\n");
  EXPECT_EQ(texts[cpus + "/cpu*/thermal_throttle"], "20\n");
  EXPECT_EQ(texts["/proc/cpuinfo"], "model name\t: X\nhypervisor\n");
  EXPECT_EQ(texts["/proc/cmdline"], "iommu=pt\n") << "nothing else of it";
}

TEST_F(InventorySource, ThrottlesAreReadAgainAtTheEnd) {
  const std::string cpu = "/sys/devices/system/cpu/";
  files_.Set(cpu + "online", "0\n");
  files_.Set(cpu + "cpu0/thermal_throttle/core_throttle_count", "5\n");
  static_cast<void>(source_->Look(capture_));
  files_.Set(cpu + "cpu0/thermal_throttle/core_throttle_count", "9\n");
  static_cast<void>(source_->Look(capture_));
  EXPECT_EQ(Texts()[cpu + "cpu*/thermal_throttle"], "9\n");
}

TEST_F(InventorySource, ABridgesAccessControlIsKeptInWordsAndOnlyForRoot) {
  const std::string config = "/sys/bus/pci/devices/0000:3a:00.0/config";
  std::string space(512, '\0');
  space[0x100] = 0x0d;
  space[0x106] = 0x04;
  files_.Set(config, space);
  static_cast<void>(source_->Look(capture_));
  EXPECT_EQ(Texts()[config], "ACSCtl: SrcValid- ReqRedir+ CmpltRedir- UpstreamFwd-\n");
}

TEST_F(InventorySource, WhatAnOrdinaryUserGetsOfTheConfigurationTellsNothing) {
  const std::string config = "/sys/bus/pci/devices/0000:3a:00.0/config";
  files_.Set(config, std::string(64, '\1'));
  static_cast<void>(source_->Look(capture_));
  EXPECT_FALSE(Texts().contains(config));
}

TEST_F(InventorySource, GpusOfTheKernelDriver) {
  const std::string file = "/proc/driver/nvidia/gpus/0000:3b:00.0/information";
  files_.Set(file, "Model: A100\n");
  static_cast<void>(source_->Look(capture_));
  EXPECT_EQ(Texts()[file], "Model: A100\n");
}

}  // namespace
}  // namespace gpuwhy
