// Which functions are asked for what.
#pragma once

#include "collect/nvml/device_reader.h"

namespace gpuwhy::nvml {

/// What changes while a job runs: load, clocks, power, temperature, link.
void ReadChanging(DeviceReader& reader);
/// What hardly changes: name, limits, modes, error counters, links, processes.
void ReadSettled(DeviceReader& reader);
/// uuid and PCI address.
void ReadIdentity(DeviceReader& reader);

}  // namespace gpuwhy::nvml
