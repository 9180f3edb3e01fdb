#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// The job waits for requests: it has nothing to do. A sleep on a timer may be a poll
/// (derive/far_waits).
[[nodiscard]] RuleResult JobNoDemand(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
