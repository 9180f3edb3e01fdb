// What the library gave, as its thread hands it over: no ids of the capture yet.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/reading.h"
#include "base/time.h"
#include "capture/device_samples.h"

namespace gpuwhy::nvml {

struct DeviceIdentity {
  MonoTime at;
  std::int32_t index = 0;
  std::string uuid, bus_id;
};

struct DeviceReading {
  MonoTime at;
  std::int32_t index = 0;
  GpuField field = GpuField::kTimestamp;
  DeviceValueKind kind = DeviceValueKind::kNumber;
  Reading<std::int64_t> value;  ///< as DeviceValue::value
  std::string text;
  const char* call = "";
};

struct ProcessReading {
  MonoTime at;
  std::int32_t index = 0;
  std::int32_t pid = 0;
  bool graphics = false;
  Reading<std::uint64_t> memory_kib;
  Reading<std::uint32_t> sm_percent;
};

struct MessageReading {
  MonoTime at;
  std::int32_t index = -1;
  std::string kind, text;
};

/// All of one look, or of its part until a call hung.
struct Harvest {
  std::vector<DeviceIdentity> devices;
  std::vector<DeviceReading> values;
  std::vector<ProcessReading> processes;
  std::vector<MessageReading> messages;
  std::vector<Missing> missing;  ///< of the library as a whole
};

}  // namespace gpuwhy::nvml
