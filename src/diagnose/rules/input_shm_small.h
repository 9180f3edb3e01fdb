// input.shm-small: /dev/shm is too small for what loader workers hand over in it.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult InputShmSmall(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
