#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {
namespace {

constexpr double kLowestScale =
    1.0;  ///< FP16 needs a scale over 1: below it the loss is lost itself

}  // namespace

RuleResult PrecisionUnstable(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "precision.unstable",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The numbers of the training broke: NaN, or a loss scale that collapsed"),
      N_("Steps go on and train nothing: every one of them is lost."),
      N_("Stop the job and restart from the last good checkpoint."),
      N_("Find the first bad step; try bfloat16 or FP32 for it, a lower learning rate, gradient "
         "clipping, and check the input for NaN (torch.autograd.set_detect_anomaly)."),
      "grep -nwiE 'nan|inf' *.log"};
  RuleResult result = StatedOfEach(kClaim, facts, FactId::kLogBadLosses,
                                   {FactId::kLogBadLine, FactId::kLogLossScale},
                                   [](const Fact& f) { return f.Number() >= 2; });
  if (!result.findings.empty()) return result;
  const std::vector<const Fact*> said = AllOf(facts, {FactId::kSaidNumbersBroke});
  if (!said.empty()) return Stated(kClaim, said);
  RuleResult scale = StatedOfEach(kClaim, facts, FactId::kLogLossScale, {FactId::kLogLine},
                                  [](const Fact& f) { return f.Number() < kLowestScale; });
  for (Finding& finding : scale.findings) {
    for (const Fact* line : AllOf(facts, {FactId::kSaidScaleLowered}))
      finding.evidence.push_back(Cite(*line));
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
