#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/step/step_claims.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult StepContainsOtherPhase(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "step.contains-other-phase", N_("{} of the printed step is validation or a checkpoint"),
      N_("The figure holds more than a training step, so it can't be compared with others."),
      N_("Judge the steps without that phase."),
      N_("Leave lines with validation or a checkpoint out when comparing step times.")};
  RuleResult result;
  for (const Fact* share : AtLeast(facts, FactId::kLogEvaluationShare, kEvaluationShare)) {
    Finding finding = StepFinding(kClaim, *share, Confidence::kHigh);
    finding.severity = Severity::kInfo;
    CiteOfInput(facts, share->subject, {FactId::kLogPhasesLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
