#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// cpu.oversubscribed: more workers than CPUs, by the framework's own words.
[[nodiscard]] RuleResult CpuOversubscribed(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
