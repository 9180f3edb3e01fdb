// /proc/PID/maps: only what the wait chain needs of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/samples.h"

namespace gpuwhy {

struct SharedMapping {
  std::uint64_t start = 0, end = 0, offset = 0;
  DeviceNumber device;
  std::uint64_t inode = 0;
  std::string path;  ///< as the kernel prints it: line ends are escaped as \012
};

struct PidMaps {
  std::vector<SharedMapping> shared;
  bool cuda = false;       ///< a libcuda is mapped
  bool framework = false;  ///< a library that trains or runs models: torch, TensorFlow, JAX, ...
};

/// Lines that are not understood are left out.
[[nodiscard]] PidMaps ParsePidMaps(std::string_view text);

}  // namespace gpuwhy
