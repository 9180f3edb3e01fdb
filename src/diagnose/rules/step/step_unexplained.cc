#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/step/step_claims.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult StepUnexplained(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "step.unexplained", N_("{} of the profiled time lies outside everything that was recorded"),
      N_("The step's own row holds time that no operator, loader or annotation in it accounts for: "
         "waiting for data or Python code that is not annotated."),
      N_("Find out what runs there before changing anything."),
      N_("Put record_function around the loader's next() and other parts of the loop, or take "
         "stacks with py-spy while it runs.")};
  RuleResult result;
  for (const Fact* share : AtLeast(facts, FactId::kProfileUnexplained, 0.2)) {
    Finding finding = StepFinding(kClaim, *share, Confidence::kMedium);
    CiteOfInput(facts, share->subject, {FactId::kProfileLine}, finding);
    finding.severity = Severity::kInfo;
    result.unknowns.push_back(
        {_("what the profiled step spends its own time on"),
         _("no operator, loader row or annotation covers it"),
         _("put record_function around the parts of the loop, or py-spy record while it runs"),
         {"step.unexplained"}});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
