#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// The consumer waits for its loaders, and they wait for reads and opens.
[[nodiscard]] RuleResult InputStorageLatency(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
