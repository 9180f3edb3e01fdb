// "8:1", as mountinfo, io.max and sysfs write the number of a device.
#pragma once

#include <optional>
#include <string_view>

#include "base/text.h"
#include "capture/samples.h"

namespace gpuwhy {

/// nullopt where the text is anything else.
[[nodiscard]] inline std::optional<DeviceNumber> ParseDeviceNumber(std::string_view text) {
  const std::optional<std::uint32_t> major = ParseNumber<std::uint32_t>(NextToken(text, ':'));
  const std::optional<std::uint32_t> minor = ParseNumber<std::uint32_t>(text);
  if (!major || !minor) return std::nullopt;
  return DeviceNumber{*major, *minor};
}

}  // namespace gpuwhy
