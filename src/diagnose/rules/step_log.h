// What the log of a training loop or the table of a profiler says of the step. One function a
// finding; each looks at every input by itself.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult StepInputBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult LogTooFewWorkers(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepComputeBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepOptimizerBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepLaunchBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepUnexplained(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepContainsOtherPhase(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ScalingCommBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ScalingPipelineWait(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
