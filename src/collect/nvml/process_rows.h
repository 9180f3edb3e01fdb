// The processes on a device, and how much of it each uses.
#pragma once

#include "collect/nvml/device_reader.h"

namespace gpuwhy::nvml {

void ReadProcessLists(DeviceReader& reader);

}  // namespace gpuwhy::nvml
