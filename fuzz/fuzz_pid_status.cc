// Any bytes as the counters of a process.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/pid_status.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParsePidStatus(text);
  (void)gpuwhy::ParseSchedStat(text);
  (void)gpuwhy::ParsePidIo(text);
  (void)gpuwhy::ParseOpenFilesLimit(text);
  (void)gpuwhy::ParseLockedMemoryLimit(text);
  return 0;
}
