#include "diagnose/rules/log_too_few_workers.h"

#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_claims.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult LogTooFewWorkers(const FactSet& facts, const Policy& policy) {
  constexpr StatedClaim kClaim{
      "input.too-few-workers",
      Severity::kWarning,
      Confidence::kMedium,
      N_("The loader works without helpers while the step waits for it"),
      N_("Batches are made by the training process itself or by one worker, so loading and "
         "computing can't overlap enough."),
      N_("Give the loader workers."),
      N_("Start with as many workers as free cores (num_workers, nThreads), with persistent "
         "workers and a prefetch of 2 or more."),
      ""};
  // Without a wait it is no fault that nobody helps.
  const RuleResult input = StepInputBound(facts, policy);
  if (input.findings.empty()) return {};
  RuleResult result = Stated(kClaim, AllOf(facts, {FactId::kSaidLoaderWorkersFew}));
  for (Finding& finding : result.findings) {
    finding.subject = input.findings.front().subject;
    finding.cost = input.findings.front().cost;
    finding.cost->low = 0;
  }
  return result;
}

}  // namespace gpuwhy
