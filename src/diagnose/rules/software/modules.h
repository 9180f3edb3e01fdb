// Kernel modules as lsmod lists them.
#pragma once

#include <string_view>

#include "facts/fact_set.h"

namespace gpuwhy {

/// nullptr where the module is not listed, or no list was read.
[[nodiscard]] const Fact* LoadedModule(const FactSet& facts, std::string_view name);

}  // namespace gpuwhy
