#include "collect/nvml/device_rows.h"

#include <algorithm>
#include <array>
#include <string>

#include "collect/nvml/health_rows.h"
#include "collect/nvml/process_rows.h"

namespace gpuwhy::nvml {
namespace {

using F = GpuField;

// Beyond any board: what is larger was not measured.
constexpr std::uint64_t kMostPercent = 100;
constexpr std::uint64_t kMostFan = 300;  // of the speed that the board was made for
constexpr std::uint64_t kMostMilliwatts = 20'000'000;
constexpr std::uint64_t kMostMegahertz = 20'000;
constexpr std::uint64_t kMostCelsius = 250;
constexpr std::uint64_t kMostGeneration = 9;
constexpr std::uint64_t kMostLanes = 32;
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 50U;
constexpr std::uint64_t kMostKib = std::uint64_t{1} << 40U;
constexpr std::uint64_t kMostMilliseconds = std::uint64_t{1} << 50U;

constexpr std::size_t kTextBytes = 96;
using Text = std::array<char, kTextBytes>;

std::string ToString(const char* text, std::size_t size) {
  return {text, std::find(text, text + size, '\0')};
}
std::string ToString(const Text& text) { return ToString(text.data(), text.size()); }

void AddMemory(DeviceReader& reader, const char* call, GpuField field, Status status,
               std::uint64_t bytes) {
  // MiB in thousandths, from KiB so that nothing overflows.
  constexpr std::uint64_t kKib = 1024;
  const std::uint64_t kib = bytes / kKib;
  if (status != Status::kSuccess || kib > kMostKib) {
    reader.AddNumber(call, {field, 1000, 0}, status, bytes);
    return;
  }
  reader.AddNumber(call, {field, 1, kMostKib * 1000}, status, kib * 1000 / kKib);
}

void ReadMemory(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetMemoryInfo_v2";
  Memory memory{};
  memory.version = VersionOf<Memory>(2);
  Status status = reader.Call(call, &memory);
  if (status == Status::kFunctionNotFound || status == Status::kVersionMismatch) {
    // Counts what the driver keeps for itself as used.
    call = "nvmlDeviceGetMemoryInfo";
    PlainMemory plain{};
    status = reader.Call(call, &plain);
    memory.used = plain.used;
    memory.total = plain.total;
  }
  AddMemory(reader, call, F::kMemoryUsed, status, memory.used);
  AddMemory(reader, call, F::kMemoryTotal, status, memory.total);
}

void ReadBar1(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetBAR1MemoryInfo";
  PlainMemory bar1{};
  const Status status = reader.Call(call, &bar1);
  AddMemory(reader, call, F::kBar1Used, status, bar1.used);
  AddMemory(reader, call, F::kBar1Total, status, bar1.total);
}

void ReadRates(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetUtilizationRates";
  Utilization rates{};
  const Status status = reader.Call(call, &rates);
  reader.AddNumber(call, {F::kUtilization, 1000, kMostPercent}, status, rates.gpu);
  reader.AddNumber(call, {F::kMemoryUtilization, 1000, kMostPercent}, status, rates.memory);
}

struct Reason {
  std::uint64_t bit;
  GpuField field;
};
constexpr Reason kReasons[] = {
    {kReasonIdle, F::kReasonIdle},           {kReasonApplications, F::kReasonApplications},
    {kReasonPowerCap, F::kReasonPowerCap},   {kReasonHwSlowdown, F::kReasonHwSlowdown},
    {kReasonHwThermal, F::kReasonHwThermal}, {kReasonPowerBrake, F::kReasonPowerBrake},
    {kReasonSyncBoost, F::kReasonSyncBoost}, {kReasonSwThermal, F::kReasonSwThermal},
    {kReasonDisplay, F::kReasonDisplay}};

void ReadReasons(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetCurrentClocksEventReasons";
  // Drivers before 535 know the older name only.
  if (!reader.Has(call)) call = "nvmlDeviceGetCurrentClocksThrottleReasons";
  unsigned long long bits = 0;
  const Status status = reader.Call(call, &bits);
  for (const Reason& reason : kReasons) {
    reader.AddFlag(call, reason.field, status, (bits & reason.bit) != 0);
  }
}

void ReadPerformanceState(DeviceReader& reader) {
  constexpr unsigned kLowest = 15;
  const char* call = "nvmlDeviceGetPerformanceState";
  unsigned state = 0;
  Status status = reader.Call(call, &state);
  if (status == Status::kSuccess && state > kLowest) status = Status::kNotSupported;
  reader.AddText(call, F::kPstate, status, "P" + std::to_string(state));
}

/// Of a field value of any type that counts; 0 where it is negative.
std::uint64_t Unsigned(const FieldValue& field) {
  switch (field.value_type) {
    case kTypeUnsigned:
      return field.value.ui;
    case kTypeUnsignedLong:
      return field.value.ul;
    case kTypeUnsignedLongLong:
      return field.value.ull;
    case kTypeSignedLongLong:
      return field.value.sll < 0 ? 0 : static_cast<std::uint64_t>(field.value.sll);
    case kTypeSigned:
      return field.value.si < 0 ? 0 : static_cast<std::uint64_t>(field.value.si);
    default:
      return 0;
  }
}

/// Values of numbered fields: each has a status of its own.
template <std::size_t N>
void ReadFields(DeviceReader& reader, std::array<FieldValue, N>& fields) {
  const char* call = "nvmlDeviceGetFieldValues";
  const Status status = reader.Call(call, static_cast<int>(N), fields.data());
  for (FieldValue& field : fields) {
    if (status != Status::kSuccess) field.status = status;
    if (field.status == Status::kSuccess && field.value_type == kTypeDouble)
      field.status = Status::kNotSupported;
  }
}

void ReadTimes(DeviceReader& reader) {
  struct Time {
    unsigned field;
    GpuField means;
  };
  constexpr Time kTimes[] = {{kFieldTimePowerCap, F::kCounterPowerCap},
                             {kFieldTimeSyncBoost, F::kCounterSyncBoost},
                             {kFieldTimeSwThermal, F::kCounterSwThermal},
                             {kFieldTimeHwThermal, F::kCounterHwThermal},
                             {kFieldTimePowerBrake, F::kCounterPowerBrake}};
  constexpr std::uint64_t kNanosInMilli = 1'000'000;
  std::array<FieldValue, std::size(kTimes)> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i].field = kTimes[i].field;
  ReadFields(reader, values);
  for (std::size_t i = 0; i < values.size(); ++i) {
    reader.AddNumber("nvmlDeviceGetFieldValues", {kTimes[i].means, 1, kMostMilliseconds},
                     values[i].status, Unsigned(values[i]) / kNanosInMilli);
  }
}

void ReadRecovery(DeviceReader& reader) {
  // In nvidia-smi's words, which the readers of its output know.
  constexpr const char* kActions[] = {"None", "GPU Reset", "Node Reboot", "Drain P2P",
                                      "Drain and Reset"};
  std::array<FieldValue, 1> value{};
  value[0].field = kFieldRecoveryAction;
  ReadFields(reader, value);
  const std::uint64_t action = Unsigned(value[0]);
  Status status = value[0].status;
  if (status == Status::kSuccess && action >= std::size(kActions)) status = Status::kNotSupported;
  reader.AddText("nvmlDeviceGetFieldValues", F::kRecoveryAction, status,
                 status == Status::kSuccess ? kActions[action] : "");
}

/// Links that the board has: asked one by one until one is not supported.
void ReadLinks(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetNvLinkState";
  const char* count_call = "nvmlDeviceGetNvLinkErrorCounter";
  std::uint64_t up = 0;
  std::uint64_t down = 0;
  unsigned long long errors = 0;
  bool counted = false;
  Status status = Status::kNotSupported;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    unsigned state = 0;
    const Status one = reader.Call(call, link, &state);
    if (one != Status::kSuccess) {
      if (link == 0) status = one;
      continue;
    }
    status = Status::kSuccess;
    (state == 1 ? up : down) += 1;
    for (const unsigned counter : {kLinkReplay, kLinkRecovery, kLinkCrcFlit, kLinkCrcData}) {
      unsigned long long count = 0;
      if (reader.Call(count_call, link, counter, &count) != Status::kSuccess) continue;
      errors += std::min<unsigned long long>(count, kMostCount);
      counted = true;
    }
  }
  reader.AddNumber(call, {F::kNvlinkActive, 1000, kMostLinks}, status, up);
  reader.AddNumber(call, {F::kNvlinkInactive, 1000, kMostLinks}, status, down);
  if (counted) {
    reader.AddNumber(count_call, {F::kNvlinkErrors, 1000, kMostCount}, Status::kSuccess, errors);
  }
}

void ReadFabric(DeviceReader& reader) {
  constexpr const char* kStates[] = {"N/A", "Not Started", "In Progress", "Completed"};
  constexpr std::size_t kCompleted = 3;
  const char* call = "nvmlDeviceGetGpuFabricInfo";
  FabricInfo info{};
  Status status = reader.Call(call, &info);
  const bool known = info.state > 0 && info.state < std::size(kStates);
  if (status == Status::kSuccess && !known) status = Status::kNotSupported;
  reader.AddText(call, F::kFabricState, status,
                 status == Status::kSuccess ? kStates[info.state] : "");
  if (status != Status::kSuccess || info.state != kCompleted) return;
  reader.AddText(call, F::kFabricStatus, status,
                 info.status == Status::kSuccess ? "Success" : "Failure");
}

/// Instances that the GPU is cut into, where it is.
void ReadSlices(DeviceReader& reader) {
  unsigned now = 0;
  unsigned pending = 0;
  if (reader.Call("nvmlDeviceGetMigMode", &now, &pending) != Status::kSuccess || now != 1) return;
  unsigned most = 0;
  Status status = reader.Call("nvmlDeviceGetMaxMigDeviceCount", &most);
  constexpr unsigned kMostSlices = 64;
  const char* call = "nvmlDeviceGetMigDeviceHandleByIndex";
  std::uint64_t slices = 0;
  for (unsigned i = 0; status == Status::kSuccess && i < std::min(most, kMostSlices); ++i) {
    Device slice = nullptr;
    const Status one = reader.Call(call, i, &slice);
    // Slots without an instance lie between those with one.
    if (one == Status::kSuccess) ++slices;
    if (one == Status::kFunctionNotFound || one == Status::kNoPermission) status = one;
  }
  reader.AddNumber(call, {F::kMigSlices, 1000, kMostSlices}, status, slices);
}

/// What the link carries: each call counts for 20 ms, so it is asked seldom.
void ReadTraffic(DeviceReader& reader) {
  constexpr std::int64_t kThousandths = 1'000'000;  // kB/s
  constexpr std::uint64_t kMostKilobytes = 1'000'000'000;
  const char* call = "nvmlDeviceGetPcieThroughput";
  reader.Number(call, kPcieTx, {F::kPcieTx, kThousandths, kMostKilobytes});
  reader.Number(call, kPcieRx, {F::kPcieRx, kThousandths, kMostKilobytes});
}

void ReadPowerRange(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetPowerManagementLimitConstraints";
  unsigned low = 0;
  unsigned high = 0;
  const Status status = reader.Call(call, &low, &high);
  reader.AddNumber(call, {F::kPowerLimitMin, 1, kMostMilliwatts}, status, low);
  reader.AddNumber(call, {F::kPowerLimitMax, 1, kMostMilliwatts}, status, high);
}

void ReadComputeMode(DeviceReader& reader) {
  constexpr const char* kModes[] = {"Default", "Exclusive_Thread", "Prohibited",
                                    "Exclusive_Process"};
  const char* call = "nvmlDeviceGetComputeMode";
  unsigned mode = 0;
  Status status = reader.Call(call, &mode);
  if (status == Status::kSuccess && mode >= std::size(kModes)) status = Status::kNotSupported;
  reader.AddText(call, F::kComputeMode, status, status == Status::kSuccess ? kModes[mode] : "");
}

void ReadNames(DeviceReader& reader) {
  Text text{};
  const char* call = "nvmlDeviceGetName";
  Status status = reader.Call(call, text.data(), static_cast<unsigned>(text.size()));
  reader.AddText(call, F::kName, status, ToString(text));
  call = "nvmlSystemGetDriverVersion";
  text = {};
  status = reader.CallBare(call, text.data(), static_cast<unsigned>(text.size()));
  reader.AddText(call, F::kDriver, status, ToString(text));
  call = "nvmlSystemGetCudaDriverVersion_v2";
  int version = 0;
  status = reader.CallBare(call, &version);
  reader.AddText(call, F::kCuda, status,
                 std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10));
}

void ReadMargin(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetMarginTemperature";
  MarginTemperature margin{VersionOf<MarginTemperature>(1), 0};
  const Status status = reader.Call(call, &margin);
  if (status != Status::kSuccess) return;  // most drivers have none: the threshold tells as much
  reader.AddNumber(call, {F::kTemperatureMargin, 1000, kMostCelsius}, status,
                   static_cast<std::uint64_t>(std::max(0, margin.celsius)));
}

}  // namespace

void ReadIdentity(DeviceReader& reader) {
  Text uuid{};
  PciInfo pci{};
  const bool named = reader.Call("nvmlDeviceGetUUID", uuid.data(),
                                 static_cast<unsigned>(uuid.size())) == Status::kSuccess;
  const bool placed = reader.Call("nvmlDeviceGetPciInfo_v3", &pci) == Status::kSuccess;
  reader.AddIdentity(named ? ToString(uuid) : "",
                     placed ? ToString(pci.bus_id, sizeof(pci.bus_id)) : "");
}

void ReadChanging(DeviceReader& reader) {
  ReadRates(reader);
  reader.Number("nvmlDeviceGetPowerUsage", {F::kPower, 1, kMostMilliwatts});
  reader.Number("nvmlDeviceGetTemperature", kSensorGpu, {F::kTemperature, 1000, kMostCelsius});
  reader.Number("nvmlDeviceGetClockInfo", kClockSm, {F::kSmClock, 1000, kMostMegahertz});
  reader.Number("nvmlDeviceGetClockInfo", kClockMemory, {F::kMemoryClock, 1000, kMostMegahertz});
  ReadReasons(reader);
  ReadPerformanceState(reader);
  ReadMemory(reader);
  reader.Number("nvmlDeviceGetCurrPcieLinkGeneration", {F::kLinkGen, 1000, kMostGeneration});
  reader.Number("nvmlDeviceGetCurrPcieLinkWidth", {F::kLinkWidth, 1000, kMostLanes});
  reader.FirstNumber("nvmlDeviceGetEncoderUtilization", {F::kEncoder, 1000, kMostPercent});
  reader.FirstNumber("nvmlDeviceGetDecoderUtilization", {F::kDecoder, 1000, kMostPercent});
}

void ReadSettled(DeviceReader& reader) {
  ReadNames(reader);
  reader.Flag("nvmlDeviceGetPersistenceMode", F::kPersistence);
  reader.Flag("nvmlDeviceGetDisplayActive", F::kDisplay);
  reader.FirstFlag("nvmlDeviceGetMigMode", F::kMigMode);
  ReadSlices(reader);
  ReadComputeMode(reader);
  ReadPowerRange(reader);
  reader.Number("nvmlDeviceGetEnforcedPowerLimit", {F::kPowerLimit, 1, kMostMilliwatts});
  reader.Number("nvmlDeviceGetPowerManagementDefaultLimit",
                {F::kPowerLimitDefault, 1, kMostMilliwatts});
  reader.Number("nvmlDeviceGetMaxClockInfo", kClockSm, {F::kMaxSmClock, 1000, kMostMegahertz});
  reader.Number("nvmlDeviceGetMaxClockInfo", kClockMemory,
                {F::kMaxMemoryClock, 1000, kMostMegahertz});
  reader.Number("nvmlDeviceGetApplicationsClock", kClockSm, {F::kAppSmClock, 1000, kMostMegahertz});
  reader.Number("nvmlDeviceGetDefaultApplicationsClock", kClockSm,
                {F::kDefaultSmClock, 1000, kMostMegahertz});
  reader.Number("nvmlDeviceGetTemperatureThreshold", kThresholdSlowdown,
                {F::kTemperatureSlowdown, 1000, kMostCelsius});
  reader.Number("nvmlDeviceGetTemperatureThreshold", kThresholdShutdown,
                {F::kTemperatureShutdown, 1000, kMostCelsius});
  reader.Number("nvmlDeviceGetTemperatureThreshold", kThresholdMemoryMax,
                {F::kTemperatureMemoryMax, 1000, kMostCelsius});
  ReadMargin(reader);
  reader.Number("nvmlDeviceGetFanSpeed", {F::kFan, 1000, kMostFan});
  reader.Number("nvmlDeviceGetMaxPcieLinkGeneration", {F::kLinkGenMax, 1000, kMostGeneration});
  reader.Number("nvmlDeviceGetGpuMaxPcieLinkGeneration",
                {F::kLinkGenDeviceMax, 1000, kMostGeneration});
  reader.Number("nvmlDeviceGetMaxPcieLinkWidth", {F::kLinkWidthMax, 1000, kMostLanes});
  reader.Number("nvmlDeviceGetPcieReplayCounter", {F::kPcieReplays, 1000, kMostCount});
  ReadBar1(reader);
  ReadTimes(reader);
  ReadRecovery(reader);
  ReadMemoryHealth(reader);
  ReadLinks(reader);
  ReadFabric(reader);
  ReadTraffic(reader);
  ReadProcessLists(reader);
}

}  // namespace gpuwhy::nvml
