// Any bytes as /proc/sysvipc/sem and msg.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/sysvipc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParseSysvSets(text);
  (void)gpuwhy::ParseSysvMessages(text);
  return 0;
}
