// What a GPU's management library said: raw, one record a reading.
#pragma once

#include <cstdint>

#include "base/reading.h"
#include "base/time.h"
#include "capture/pasted.h"
#include "capture/samples.h"

namespace gpuwhy {

/// A GPU as the library numbers it. What is said of it refers to its index.
struct DeviceSeen {
  MonoTime at;
  std::int32_t index = 0;
  NameId uuid = kNoName, bus_id = kNoName;  ///< kNoName: could not be read
  friend bool operator==(const DeviceSeen&, const DeviceSeen&) = default;
};

/// Stored in recordings: append only.
enum class DeviceValueKind : unsigned char { kNumber = 0, kFlag = 1, kText = 2 };

struct DeviceValue {
  MonoTime at;
  std::int32_t index = 0;
  GpuField field = GpuField::kTimestamp;
  DeviceValueKind kind = DeviceValueKind::kNumber;
  /// A number in thousandths of the field's unit; a flag as 0 or 1; of a text only whether there is
  /// one.
  Reading<std::int64_t> value;
  NameId text = kNoName;
  NameId call = kNoName;  ///< the library's function
  friend bool operator==(const DeviceValue&, const DeviceValue&) = default;
};

/// A process that the library lists on a GPU. Its pid is one of the host, or 0 where the library
/// may not tell.
struct DeviceProcess {
  MonoTime at;
  std::int32_t index = 0;
  std::int32_t pid = 0;
  bool graphics = false;
  Reading<std::uint64_t> memory_kib;
  /// Percent of the multiprocessors' time, over the last seconds.
  Reading<std::uint32_t> sm_percent;
  friend bool operator==(const DeviceProcess&, const DeviceProcess&) = default;
};

/// Something that the library refused, where the refusal itself is the finding.
struct DeviceMessage {
  MonoTime at;
  std::int32_t index = -1;  ///< -1: not of one device
  NameId kind = kNoName;    ///< as PastedMessage::kind: "smi.gpu-lost"
  NameId text = kNoName;
  friend bool operator==(const DeviceMessage&, const DeviceMessage&) = default;
};

/// A small file of this host as it was read: parsed again by whoever replays the recording, so that
/// a newer version sees more in it.
struct FileText {
  MonoTime at;
  NameId path = kNoName;
  NameId text = kNoName;
  Reading<bool> read;  ///< Missing: why not
  friend bool operator==(const FileText&, const FileText&) = default;
};

/// A line of the kernel's log. `at` is the kernel's own stamp.
struct KernelLine {
  MonoTime at;
  NameId text = kNoName;
  friend bool operator==(const KernelLine&, const KernelLine&) = default;
};

}  // namespace gpuwhy
