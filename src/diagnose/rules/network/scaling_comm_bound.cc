#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/step/step_claims.h"

namespace gpuwhy {

RuleResult ScalingCommBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "scaling.comm-bound", N_("{} of the step is spent in collectives that nothing hides"),
      N_("The log times the collectives by themselves: computing stands still meanwhile. A rank "
         "that comes late makes them look long as well."),
      N_("Measure the collective alone at this message size, then decide between network and "
         "stragglers."),
      N_("nccl-tests on the same nodes tells what the network gives. Overlap the reduction with "
         "backward, use larger buckets, or accumulate gradients over more micro-batches.")};
  return StepLimits(kClaim, facts, FactId::kLogCommShare, kCommShare);
}

}  // namespace gpuwhy
