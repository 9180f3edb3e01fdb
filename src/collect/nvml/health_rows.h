// Errors that a device counted in its memory, and what it did about them.
#pragma once

#include "collect/nvml/device_reader.h"

namespace gpuwhy::nvml {

void ReadMemoryHealth(DeviceReader& reader);

}  // namespace gpuwhy::nvml
