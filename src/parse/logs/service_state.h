// What systemctl and dkms say of the driver's parts, where no line says it by itself.
#pragma once

#include <string_view>
#include <vector>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// "nvidia-fabricmanager.service - ..." whose state in the lines below is failed or inactive:
/// kFabricManagerFailed, with both lines.
[[nodiscard]] std::vector<StatementSeen> FindStoppedServices(std::string_view text);
/// dkms status beside uname -r in one text: kModuleBuildFailed where NVIDIA's module is there for
/// other kernels only.
[[nodiscard]] std::vector<StatementSeen> FindModulesOfOtherKernels(std::string_view text);

}  // namespace gpuwhy
