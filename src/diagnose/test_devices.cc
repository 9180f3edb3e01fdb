#include "diagnose/test_devices.h"

#include <string>

namespace gpuwhy {
namespace {

const Subject kGpu{SubjectKind::kGpu, "GPU-1"};

class Device {
 public:
  Device& Set(FactId id, double value) {
    facts_.Set(id, value, std::nullopt, kGpu);
    return *this;
  }
  /// A flag that is up.
  Device& Flag(FactId id, bool up = true) {
    facts_.SetFlag(id, up, kGpu);
    return *this;
  }
  Device& Text(FactId id, const std::string& text) {
    facts_.SetText(id, text, kGpu);
    return *this;
  }
  // NOLINTNEXTLINE(google-explicit-constructor): a list of devices is a list of facts
  operator TestFacts() const { return facts_; }

 private:
  TestFacts facts_;
};

Device Busy() {
  return Device()
      .Set(FactId::kGpuUtilization, 98)
      .Set(FactId::kGpuPower, 250)
      .Set(FactId::kGpuPowerLimit, 300)
      .Set(FactId::kGpuSmClock, 1500)
      .Set(FactId::kGpuMaxSmClock, 1600)
      .Set(FactId::kGpuMemoryUsed, 9000);
}

Device Idle() {
  return Device()
      .Set(FactId::kGpuUtilization, 0)
      .Set(FactId::kGpuPower, 20)
      .Set(FactId::kGpuPowerLimit, 300)
      .Set(FactId::kGpuMemoryUsed, 3)
      .Text(FactId::kGpuPstate, "P8");
}

TestFacts Said(const char* kind) {
  TestFacts facts;
  facts.SetText(FactId::kToolMessage, "as the tool said it", {SubjectKind::kInput, kind});
  return facts;
}

TestFacts Module(const char* name) {
  TestFacts facts;
  facts.SetText(FactId::kModuleLoaded, name, {SubjectKind::kInput, name});
  return facts;
}

TestFacts Links(double down_on_each) {
  TestFacts facts;
  for (const char* gpu : {"a", "b", "c"}) {
    const Subject subject{SubjectKind::kGpu, gpu};
    const double down = *gpu == 'c' ? 0 : down_on_each;
    facts.Set(FactId::kNvlinkActive, 4 - down, std::nullopt, subject);
    facts.Set(FactId::kNvlinkInactive, down, std::nullopt, subject);
  }
  return facts;
}

TestFacts Slices() {
  TestFacts facts;
  facts.Set(FactId::kGpuMigSlices, 2, std::nullopt, {SubjectKind::kHost, ""});
  return facts;
}

TestFacts Redirect() {
  TestFacts facts;
  facts.SetText(FactId::kAcsRedirect, "ReqRedir+", {SubjectKind::kLink, "64:00.0"});
  return facts;
}

}  // namespace

std::vector<TestFacts> SickDevices() {
  return {
      Busy(),
      Busy().Flag(FactId::kGpuReasonPowerCap).Set(FactId::kGpuPower, 299),
      Busy().Set(FactId::kGpuPowerLimitDefault, 400),
      Busy().Flag(FactId::kGpuReasonPowerBrake),
      Busy().Flag(FactId::kGpuReasonSwThermal),
      Busy().Flag(FactId::kGpuReasonHwSlowdown),
      Busy().Flag(FactId::kGpuReasonSyncBoost),
      Busy()
          .Flag(FactId::kGpuReasonApplications)
          .Set(FactId::kGpuAppSmClock, 900)
          .Set(FactId::kGpuDefaultSmClock, 1400),
      Busy().Set(FactId::kGpuSmClock, 500),
      Busy().Set(FactId::kGpuMemoryUtilization, 90),
      Busy().Set(FactId::kGpuOthersLoad, 40),
      Idle().Text(FactId::kGpuComputeMode, "Prohibited"),
      Busy().Set(FactId::kGpuPower, 90),
      Busy().Set(FactId::kGpuMemoryUsed, 2),
      Busy().Set(FactId::kGpuComputeProcesses, 0),
      Busy().Set(FactId::kGpuUtilization, 30),
      Busy().Set(FactId::kGpuEncoder, 99),
      Busy().Set(FactId::kGpuLinkGen, 1).Set(FactId::kGpuLinkGenMax, 4),
      Busy().Set(FactId::kGpuLinkWidth, 4).Set(FactId::kGpuLinkWidthMax, 16),
      Busy().Set(FactId::kGpuLinkGenHostMax, 3).Set(FactId::kGpuLinkGenDeviceMax, 5),
      Idle(),
      Idle().Flag(FactId::kGpuReasonIdle),
      Idle().Flag(FactId::kGpuReasonPowerCap),
      Idle().Flag(FactId::kGpuPersistence, false),
      Idle().Set(FactId::kGpuMemoryUsed, 9000),
      Idle().Set(FactId::kGpuLinkGen, 1).Set(FactId::kGpuLinkGenMax, 4),
      Idle().Set(FactId::kGpuCounterSwThermal, 90),
      Idle().Set(FactId::kGpuTemperatureMargin, 2),
      Idle().Text(FactId::kGpuUnreadable, "fan speed"),
      Idle().Set(FactId::kGpuEccVolatileUncorrected, 2),
      Idle().Set(FactId::kGpuEccAggregateUncorrected, 2),
      Idle().Flag(FactId::kGpuRemapPending),
      Idle().Flag(FactId::kGpuRemapFailed),
      Idle().Set(FactId::kGpuBar1Used, 255).Set(FactId::kGpuBar1Total, 256),
      Idle().Text(FactId::kGpuFabricState, "Completed").Text(FactId::kGpuFabricStatus, "Failure"),
      Said("smi.inforom"),
      Said("smi.library-mismatch"),
      Said("smi.no-driver"),
      Said("smi.no-devices"),
      Said("smi.gpu-lost"),
      Said("capture.incomplete"),
      Module("nvidia"),
      Module("nouveau"),
      Links(1),
      Links(2),
      Slices(),
      Redirect(),
  };
}

}  // namespace gpuwhy
