#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult PrecisionScaleProbing(const FactSet& facts, const Policy& policy) {
  constexpr StatedClaim kClaim{
      "precision.scale-probing",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The loss scaler probes for the largest scale that works"),
      N_("It raises the scale until a step overflows, skips that step and halves it: as designed."),
      N_("Nothing to do."),
      N_("Only a scale that falls without end is a fault."),
      "grep -nihE 'loss scale|overflow' *.log"};
  if (!PrecisionUnstable(facts, policy).findings.empty()) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidScaleLowered}));
}

}  // namespace gpuwhy
