#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// The job waits for requests or a timer: it has nothing to do.
[[nodiscard]] RuleResult JobNoDemand(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
