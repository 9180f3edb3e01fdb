// For which machine a program was built, by the header of its file.
#pragma once

#include <string>
#include <string_view>

#include "base/reading.h"

namespace gpuwhy {

/// "x86_64", "aarch64", "ppc64le", "riscv64" or "s390x", as uname -m says. Missing where the bytes
/// are no ELF header or the machine is another. head: at least the first 20 bytes.
[[nodiscard]] Reading<std::string> ParseElfMachine(std::string_view head);

}  // namespace gpuwhy
