// input.starting: a shuffle buffer is being filled, which looks like a hang.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult InputStarting(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
