#include "base/i18n.h"
#include "diagnose/rules/step/step_claims.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult StepOptimizerBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "step.optimizer-bound", N_("{} of the step is the optimizer"),
      N_("The update takes longer than the model's own work deserves: mostly because it runs on "
         "the CPU, or on few threads of it."),
      N_("Speed up the optimizer before the model."),
      N_("Keep it on the GPU where memory allows, use a fused one; with offload give it threads "
         "(OMP_NUM_THREADS) and a CPU Adam built for this processor.")};
  return StepLimits(kClaim, facts, FactId::kLogOptimizerShare, kOptimizerShare);
}

}  // namespace gpuwhy
