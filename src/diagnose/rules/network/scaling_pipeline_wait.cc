#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/step/step_claims.h"

namespace gpuwhy {

RuleResult ScalingPipelineWait(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "scaling.pipeline-wait", N_("{} of the step is a wait for another pipeline stage"),
      N_("This stage has nothing to do until its neighbour sends: the "
         "bubble of the pipeline, or stages of unequal work."),
      N_("Balance the stages or use more micro-batches."),
      N_("More micro-batches a step, an interleaved schedule, fewer "
         "stages, or layers moved between them.")};
  return StepLimits(kClaim, facts, FactId::kLogPipelineShare, kPipelineShare);
}

}  // namespace gpuwhy
