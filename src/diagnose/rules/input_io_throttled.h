// input.io-throttled: a read limit of the job's cgroup is full, and the loaders wait in it.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult InputIoThrottled(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
