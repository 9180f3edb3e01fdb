// cpu.contended: other processes hold the cores that the loaders are ready to run on.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult CpuContended(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
