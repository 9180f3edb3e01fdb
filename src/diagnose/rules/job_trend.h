// How a training loop changes over its log: drift, scatter, rates that hide it, numbers that break.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult JobSlowing(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult JobJitter(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult MetricCumulative(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult PrecisionUnstable(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult PrecisionScaleProbing(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult HostMemoryStep(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult HostMemoryPressure(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
