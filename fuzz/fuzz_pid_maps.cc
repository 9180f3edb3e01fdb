// Any bytes as /proc/PID/maps.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/pid_maps.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParsePidMaps(text);
  return 0;
}
