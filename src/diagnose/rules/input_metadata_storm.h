#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// The loaders' storage wait is opening, finding and listing many files, not reading bytes.
[[nodiscard]] RuleResult InputMetadataStorm(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
