#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/logs/log_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ReadLogText(text, "pressure-memory");
  return 0;
}
