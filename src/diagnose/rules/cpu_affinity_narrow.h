// cpu.affinity-narrow: a process lost most of the CPUs that it started with.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult CpuAffinityNarrow(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
