#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// The CPU quota of the job's cgroup is full and stops its threads.
[[nodiscard]] RuleResult CpuQuotaThrottled(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
