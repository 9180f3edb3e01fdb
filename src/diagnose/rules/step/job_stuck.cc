#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult JobStuck(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.stuck",
      Severity::kCritical,
      Confidence::kLow,
      N_("The job's main thread waits for a batch that does not come"),
      N_("The stack shows the training loop in its loader's queue, and nothing that was handed in "
         "shows a step. A single stack is one moment: it may only be slow."),
      N_("Take a second stack some seconds later: the same one again means that it is stuck. Then "
         "look at the loader's workers: one that died or waits itself leaves the queue empty."),
      N_("Take the stacks of the workers too; try num_workers=0 once to see the error itself; do "
         "not use locks or CUDA in workers that were forked."),
      "py-spy dump --pid PID --subprocesses"};
  if (Has(facts, FactId::kLogSteps)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidLoaderGet}));
}

}  // namespace gpuwhy
