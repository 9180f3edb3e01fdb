// The rules on profiler traces: what each needs, and why, is in docs/trace-findings.md.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy::traced {

[[nodiscard]] RuleResult EnvLaunchBlocking(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult InputBatchSmall(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult InputPageableMemory(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult PrecisionTensorCoresIdle(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult PrecisionTf32Off(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ScalingCommBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ScalingPeerWait(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ScalingStraggler(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ScalingUnevenWork(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult SoftwareRecompiling(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepComputeBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepContainsOtherPhase(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepInputBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepLaunchBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepOptimizerBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepReformatBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepSyncBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepTransferBound(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult StepUnexplained(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy::traced
