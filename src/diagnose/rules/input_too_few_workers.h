// input.too-few-workers: the loaders are on their cores nearly always, and other cores are idle.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult InputTooFewWorkers(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
