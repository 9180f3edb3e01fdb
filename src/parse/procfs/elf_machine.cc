#include "parse/procfs/elf_machine.h"

#include <elf.h>

namespace gpuwhy {
namespace {

constexpr std::size_t kMachineOffset = 18;

unsigned ByteAt(std::string_view bytes, std::size_t i) {
  return static_cast<unsigned char>(bytes[i]);
}

}  // namespace

Reading<std::string> ParseElfMachine(std::string_view head) {
  if (head.size() < kMachineOffset + 2 || !head.starts_with(ELFMAG)) {
    return Missing{Why::kFailed, "no ELF header"};
  }
  const bool little = ByteAt(head, EI_DATA) == ELFDATA2LSB;
  const unsigned first = ByteAt(head, kMachineOffset);
  const unsigned second = ByteAt(head, kMachineOffset + 1);
  const unsigned machine = little ? first + second * 256 : first * 256 + second;
  const bool wide = ByteAt(head, EI_CLASS) == ELFCLASS64;
  if (machine == EM_X86_64 && wide) return std::string("x86_64");
  if (machine == EM_AARCH64 && wide) return std::string("aarch64");
  if (machine == EM_PPC64 && little) return std::string("ppc64le");
  if (machine == EM_RISCV && wide) return std::string("riscv64");
  if (machine == EM_S390 && wide) return std::string("s390x");
  return Missing{Why::kNotSupported, "ELF machine " + std::to_string(machine)};
}

}  // namespace gpuwhy
