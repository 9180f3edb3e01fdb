#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

/// What the consumer waits for is computing by its loaders: decoding, augmentation, tokenising.
[[nodiscard]] RuleResult InputCpuTransform(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
