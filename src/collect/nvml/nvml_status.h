// What the library's error codes mean for a reading and for the device.
#pragma once

#include <string>
#include <string_view>

#include "base/reading.h"
#include "collect/nvml/nvml_types.h"

namespace gpuwhy::nvml {

/// "GPU is lost"; for a code that is not known its number.
[[nodiscard]] std::string StatusText(Status status);
/// The reading that a refused call yields: "nvmlDeviceGetPowerUsage: not supported".
[[nodiscard]] Missing ToMissing(Status status, std::string_view call);
/// Kind of the message that the refusal is by itself ("smi.gpu-lost"); empty where it is none.
[[nodiscard]] std::string_view MessageKind(Status status);

}  // namespace gpuwhy::nvml
