// Counters of the GPU's own performance monitor (GPM): Hopper and later. Each figure is the mean
// between two looks.
#pragma once

#include "collect/nvml/device_reader.h"

namespace gpuwhy::nvml {

/// The buffers of one device; owned by the library, given back by FreeGpm().
struct GpmBuffers {
  bool asked = false, supported = false, has_older = false;
  Status refused = Status::kNotSupported;  ///< why it is not supported
  GpmSample older = nullptr, newer = nullptr;
};

/// settled: as for ReadSettled(); where the device has no such counters that is told then only. A
/// device that is cut into slices is not asked: drivers of 2023 then refuse other calls, and the
/// figures would be of all slices together.
void ReadGpm(DeviceReader& reader, bool settled, GpmBuffers& buffers);
void FreeGpm(DeviceReader& reader, GpmBuffers& buffers);

}  // namespace gpuwhy::nvml
