#include "collect/nvml_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "collect/nvml/nvml_types.h"
#include "os/fake_clock.h"
#include "os/fake_file_tree.h"
#include "os/fake_kernel_ipc.h"
#include "os/fake_process_memory.h"

namespace gpuwhy {
namespace {

using nvml::Device;
using nvml::Status;
using testing::Contains;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

Status Succeed() { return Status::kSuccess; }
Status OneDevice(unsigned* count) {
  *count = 1;
  return Status::kSuccess;
}
Status TooManyDevices(unsigned* count) {
  *count = 4'000'000'000;
  return Status::kSuccess;
}
Status Handle(unsigned /*index*/, Device* /*device*/) { return Status::kSuccess; }
Status NoHandle(unsigned /*index*/, Device* /*device*/) { return Status::kNoPermission; }
Status Uuid(Device /*device*/, char* text, unsigned size) {
  std::fill_n(text, size, 'u');  // without an end
  return Status::kSuccess;
}
Status Power(Device /*device*/, unsigned* milliwatts) {
  *milliwatts = 412'345;
  return Status::kSuccess;
}
Status NonsensePower(Device /*device*/, unsigned* milliwatts) {
  *milliwatts = ~0U;
  return Status::kSuccess;
}
Status LostPower(Device /*device*/, unsigned* /*milliwatts*/) { return Status::kGpuIsLost; }

Status Counts(Device /*device*/, nvml::GpmSupport* support) {
  support->supported = 1;
  return Status::kSuccess;
}
Status Allocate(nvml::GpmSample* sample) {
  *sample = nullptr;
  return Status::kSuccess;
}
Status Sample(Device /*device*/, nvml::GpmSample /*sample*/) { return Status::kSuccess; }
Status Metrics(nvml::GpmMetrics* metrics) {
  for (nvml::GpmMetric& metric : metrics->metrics) {
    metric.status = Status::kSuccess;
    metric.value = metric.metric == nvml::kGpmTensor ? std::nan("") : 61.5;
  }
  return Status::kSuccess;
}

/// A library that has the functions given, and no other.
class FakeLibrary final : public DynamicLibrary {
 public:
  explicit FakeLibrary(std::map<std::string, void*> functions) : functions_(std::move(functions)) {}
  void* Find(const char* symbol) override {
    const auto found = functions_.find(symbol);
    return found == functions_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, void*> functions_;
};

class FakeLoader final : public LibraryLoader {
 public:
  std::map<std::string, void*> functions;
  bool absent = false;
  int opened = 0;

  template <class F>
  void Set(const std::string& name, F* function) {
    functions[name] = reinterpret_cast<void*>(function);
  }
  Result<std::shared_ptr<DynamicLibrary>> Open(const std::string& name) override {
    ++opened;
    if (absent) return Error{"cannot open shared object file", name, 0};
    return std::shared_ptr<DynamicLibrary>(std::make_shared<FakeLibrary>(functions));
  }
};

class NvmlSourceTest : public testing::Test {
 protected:
  NvmlSourceTest() {
    loader_->Set("nvmlInit_v2", Succeed);
    loader_->Set("nvmlShutdown", Succeed);
    loader_->Set("nvmlDeviceGetCount_v2", OneDevice);
    loader_->Set("nvmlDeviceGetHandleByIndex_v2", Handle);
    loader_->Set("nvmlDeviceGetUUID", Uuid);
    loader_->Set("nvmlDeviceGetPowerUsage", Power);
    files_.Set("/proc/driver/nvidia/version", "NVRM version: NVIDIA\n");
  }

  std::vector<Missing> Look() {
    NvmlOptions options;
    options.loader = loader_;
    const std::unique_ptr<Source> source = MakeNvmlSource(host_, names_, options);
    std::vector<Missing> missing = source->Look(capture_);
    capture_.names = names_.NamesFrom(0);
    return missing;
  }
  const DeviceValue* Find(GpuField field) {
    for (const DeviceValue& value : capture_.device_values) {
      if (value.field == field) return &value;
    }
    return nullptr;
  }

  std::shared_ptr<FakeLoader> loader_ = std::make_shared<FakeLoader>();
  FakeFileTree files_;
  FakeClock clock_;
  FakeProcessMemory memory_;
  FakeKernelIpc ipc_;
  Host host_{files_, clock_, memory_, ipc_};
  Interner names_;
  Capture capture_;
};

TEST_F(NvmlSourceTest, TellsWhatTheLibraryTells) {
  EXPECT_THAT(Look(), IsEmpty());
  ASSERT_NE(Find(GpuField::kPower), nullptr);
  EXPECT_EQ(Find(GpuField::kPower)->value, Reading<std::int64_t>(412'345));
  EXPECT_EQ(capture_.Name(Find(GpuField::kPower)->call), "nvmlDeviceGetPowerUsage");
}

TEST_F(NvmlSourceTest, WhatTheLibraryHasNoFunctionForIsNotSupported) {
  static_cast<void>(Look());
  ASSERT_NE(Find(GpuField::kUtilization), nullptr);
  ASSERT_FALSE(Find(GpuField::kUtilization)->value);
  EXPECT_EQ(Find(GpuField::kUtilization)->value.missing().why, Why::kNotSupported);
}

TEST_F(NvmlSourceTest, NonsenseIsNoValue) {
  loader_->Set("nvmlDeviceGetPowerUsage", NonsensePower);
  static_cast<void>(Look());
  ASSERT_NE(Find(GpuField::kPower), nullptr);
  EXPECT_FALSE(Find(GpuField::kPower)->value);
}

TEST_F(NvmlSourceTest, ATextWithoutAnEndStaysWithinItsBuffer) {
  static_cast<void>(Look());
  ASSERT_THAT(capture_.devices, SizeIs(1));
  EXPECT_THAT(capture_.Name(capture_.devices[0].uuid), SizeIs(96));
}

TEST_F(NvmlSourceTest, OfALostDeviceOnlyThatIsSaid) {
  loader_->Set("nvmlDeviceGetPowerUsage", LostPower);
  static_cast<void>(Look());
  ASSERT_THAT(capture_.device_messages, SizeIs(1));
  EXPECT_EQ(capture_.Name(capture_.device_messages[0].kind), "smi.gpu-lost");
  EXPECT_EQ(Find(GpuField::kTemperature), nullptr) << "asked before the loss, nothing after it";
}

TEST_F(NvmlSourceTest, ADeviceThatMayNotBeOpenedIsNoFault) {
  loader_->Set("nvmlDeviceGetHandleByIndex_v2", NoHandle);
  EXPECT_THAT(Look(), Contains(Field(&Missing::why, Why::kNoPermission)));
  EXPECT_THAT(capture_.device_messages, IsEmpty());
}

TEST_F(NvmlSourceTest, ACountBeyondAnyMachineIsNotBelieved) {
  loader_->Set("nvmlDeviceGetCount_v2", TooManyDevices);
  EXPECT_THAT(Look(), Contains(Field(&Missing::why, Why::kFailed)));
}

TEST_F(NvmlSourceTest, WithoutADriverTheLibraryIsNotOpened) {
  files_.Remove("/proc/driver/nvidia/version");
  EXPECT_THAT(Look(), Contains(Field(&Missing::why, Why::kNotPresent)));
  EXPECT_EQ(loader_->opened, 0) << "opening it would load the driver";
}

TEST_F(NvmlSourceTest, ALibraryThatIsNotThereIsSaid) {
  loader_->absent = true;
  const std::vector<Missing> missing = Look();
  ASSERT_THAT(missing, SizeIs(1));
  EXPECT_EQ(missing[0].why, Why::kNotPresent);
  EXPECT_THAT(missing[0].detail, testing::HasSubstr("libnvidia-ml.so.1"));
}

TEST_F(NvmlSourceTest, WhatStartingTookIsOfTheLibraryAndNotOfADevice) {
  static_cast<void>(Look());
  ASSERT_NE(Find(GpuField::kDriverStart), nullptr);
  EXPECT_EQ(Find(GpuField::kDriverStart)->index, -1);
}

TEST_F(NvmlSourceTest, TheGpusOwnCountersAreTheMeanBetweenTwoLooks) {
  loader_->Set("nvmlGpmQueryDeviceSupport", Counts);
  loader_->Set("nvmlGpmSampleAlloc", Allocate);
  loader_->Set("nvmlGpmSampleGet", Sample);
  loader_->Set("nvmlGpmMetricsGet", Metrics);
  NvmlOptions options;
  options.loader = loader_;
  const std::unique_ptr<Source> source = MakeNvmlSource(host_, names_, options);
  static_cast<void>(source->Look(capture_));
  EXPECT_EQ(Find(GpuField::kDramActive), nullptr) << "one look is no mean";
  static_cast<void>(source->Look(capture_));
  ASSERT_NE(Find(GpuField::kDramActive), nullptr);
  EXPECT_EQ(Find(GpuField::kDramActive)->value, Reading<std::int64_t>(61'500));
  ASSERT_NE(Find(GpuField::kTensorActive), nullptr);
  EXPECT_FALSE(Find(GpuField::kTensorActive)->value) << "no number";
}

TEST_F(NvmlSourceTest, AGpuWithoutItsOwnCountersIsSaidToHaveNone) {
  static_cast<void>(Look());
  ASSERT_NE(Find(GpuField::kDramActive), nullptr);
  EXPECT_EQ(Find(GpuField::kDramActive)->value.missing().why, Why::kNotSupported);
}

TEST_F(NvmlSourceTest, ALibraryOfSomethingElseIsNoLibrary) {
  loader_->functions.clear();
  EXPECT_THAT(Look(), Contains(Field(&Missing::why, Why::kNotSupported)));
}

}  // namespace
}  // namespace gpuwhy
