#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult SoftwareRecompiling(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "software.recompiling",
      Severity::kWarning,
      Confidence::kHigh,
      N_("The compiler gave up after too many variants of a function"),
      N_("A value that changes from step to step is compiled in as a constant. Each change "
         "compiles again, and past the limit the function runs uncompiled."),
      N_("Keep the changing value out of the compiled graph."),
      N_("Pass it as a tensor (a learning rate as torch.tensor), mark sizes as dynamic, or exclude "
         "the function from compilation; TORCH_LOGS=recompiles names the guards."),
      "TORCH_LOGS=recompiles"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidRecompiling}));
}

}  // namespace gpuwhy
