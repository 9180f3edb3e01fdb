// Any bytes as a configuration space.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/procfs/pci_config.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view config(reinterpret_cast<const char*>(data), size);
  const gpuwhy::Reading<gpuwhy::AccessControl> control = gpuwhy::ParseAccessControl(config);
  if (control) (void)gpuwhy::AsLspci(*control);
  return 0;
}
