// Any bytes as an environment: what is kept of it reads back as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "parse/procfs/pid_environ.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::vector<gpuwhy::Variable> kept = gpuwhy::KnownVariables(text, '\0');
  if (gpuwhy::KnownVariables(gpuwhy::AsLines(kept), '\n') != kept) std::abort();
  (void)gpuwhy::KnownVariables(text, '\n');
  return 0;
}
