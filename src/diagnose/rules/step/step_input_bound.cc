#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/step/step_claims.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult StepInputBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "step.input-bound", N_("{} of the step is spent waiting for data"),
      N_("The training loop stands still until its next batch is there; the GPU has nothing to do "
         "meanwhile."),
      N_("Mend the input before touching the model or buying a faster GPU."),
      N_("Find out what the loader's workers do (gpuwhy while the job runs names storage, CPU or "
         "quota), then add workers and prefetch, move the data nearer, or do less work a sample.")};
  RuleResult result;
  for (const Fact* share : AtLeast(facts, FactId::kLogDataShare, kInputShare)) {
    Finding finding = StepFinding(kClaim, *share, BySteps(*share));
    finding.cost = RatioCost(share->Number());
    CiteOfInput(facts, share->subject,
                {FactId::kLogDataTime, FactId::kLogMeansLine, FactId::kLogDataLine,
                 FactId::kLogSlowestLine, FactId::kLogStepTime},
                finding);
    result.findings.push_back(std::move(finding));
  }
  for (const Fact* share : AtLeast(facts, FactId::kProfileLoaderShare, kInputShare)) {
    Finding finding = StepFinding(kClaim, *share, Confidence::kHigh);
    finding.cost = RatioCost(share->Number());
    CiteOfInput(facts, share->subject, {FactId::kProfileLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
