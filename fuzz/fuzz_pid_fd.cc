// Any bytes as a descriptor's fdinfo and link.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/pid_fd.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParseFdInfo(text);
  (void)gpuwhy::ParseFdLink(text);
  return 0;
}
