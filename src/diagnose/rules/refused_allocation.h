// Why an allocation of device memory was refused, by the arithmetic of its own message. The advice
// that frameworks print with it is always printed and decides nothing.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult VramTooSmall(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult VramFragmented(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult VramOtherProcess(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult VramLimitElsewhere(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
