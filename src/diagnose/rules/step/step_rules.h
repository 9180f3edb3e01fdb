// Rules of the training loop and its steps: one a file.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult JobCrashed(const FactSet& facts, const Policy& policy);  ///< job.crashed
[[nodiscard]] RuleResult MetricSinceBoot(const FactSet& facts,
                                         const Policy& policy);  ///< metric.since-boot
[[nodiscard]] RuleResult JobJitter(const FactSet& facts, const Policy& policy);   ///< job.jitter
[[nodiscard]] RuleResult JobSlowing(const FactSet& facts, const Policy& policy);  ///< job.slowing
[[nodiscard]] RuleResult JobStuck(const FactSet& facts, const Policy& policy);    ///< job.stuck
[[nodiscard]] RuleResult MetricCumulative(const FactSet& facts,
                                          const Policy& policy);  ///< metric.cumulative
[[nodiscard]] RuleResult PrecisionScaleProbing(const FactSet& facts,
                                               const Policy& policy);  ///< precision.scale-probing
[[nodiscard]] RuleResult PrecisionUnstable(const FactSet& facts,
                                           const Policy& policy);  ///< precision.unstable
[[nodiscard]] RuleResult StepComputeBound(const FactSet& facts,
                                          const Policy& policy);  ///< step.compute-bound
[[nodiscard]] RuleResult StepContainsOtherPhase(
    const FactSet& facts, const Policy& policy);  ///< step.contains-other-phase
[[nodiscard]] RuleResult StepInputBound(const FactSet& facts,
                                        const Policy& policy);  ///< step.input-bound
[[nodiscard]] RuleResult StepLaunchBound(const FactSet& facts,
                                         const Policy& policy);  ///< step.launch-bound
[[nodiscard]] RuleResult StepOptimizerBound(const FactSet& facts,
                                            const Policy& policy);  ///< step.optimizer-bound
[[nodiscard]] RuleResult StepUnexplained(const FactSet& facts,
                                         const Policy& policy);  ///< step.unexplained

}  // namespace gpuwhy
