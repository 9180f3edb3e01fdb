// /proc/version: which kernel runs.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace gpuwhy {

/// The release ("6.1.0-18-amd64") of "Linux version 6.1.0-18-amd64 (builder) (compiler) #1 ...".
[[nodiscard]] Result<std::string> ParseKernelRelease(std::string_view text);

}  // namespace gpuwhy
