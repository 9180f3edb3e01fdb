// Paths below /proc.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuwhy {

[[nodiscard]] inline std::string ProcessPath(std::int32_t pid, std::string_view name) {
  return fmt::format("/proc/{}/{}", pid, name);
}
[[nodiscard]] inline std::string ThreadPath(std::int32_t pid, std::int32_t tid,
                                            std::string_view name) {
  return fmt::format("/proc/{}/task/{}/{}", pid, tid, name);
}

}  // namespace gpuwhy
