// Any bytes as /proc/PID/stat.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/pid_stat.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParsePidStat(text);
  (void)gpuwhy::ParseStateLetter(text);
  return 0;
}
