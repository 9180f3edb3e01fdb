#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "parse/procfs/auxv.h"
#include "parse/procfs/cpu_list.h"
#include "parse/procfs/elf_machine.h"
#include "parse/procfs/uptime.h"
#include "parse/procfs/version.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::ParseAuxv(text);
  (void)gpuwhy::ParseElfMachine(text);
  (void)gpuwhy::ParseUptime(text);
  (void)gpuwhy::ParseKernelRelease(text);
  const gpuwhy::Result<std::vector<gpuwhy::CpuRange>> cpus = gpuwhy::ParseCpuList(text);
  if (cpus && gpuwhy::CountCpus(*cpus) < cpus->size()) __builtin_trap();
  return 0;
}
