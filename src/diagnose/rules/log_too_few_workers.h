// input.too-few-workers by the log of a loop alone: nobody helps the step that waits for data.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult LogTooFewWorkers(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
