// Any bytes as syscall and wchan of a thread.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/pid_wait.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParseBlockedCall(text);
  (void)gpuwhy::ParseWchan(text);
  return 0;
}
