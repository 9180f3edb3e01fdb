#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {
namespace {

constexpr double kDrift = 0.15;  ///< medians of thirds; run-to-run noise is about 5 %

}  // namespace

RuleResult JobSlowing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.slowing",
      Severity::kWarning,
      Confidence::kMedium,
      N_("Steps get longer over the log"),
      N_("The last third of the steps is longer than the first, and nearly all of its steps are."),
      N_("Watch what grows with it: memory, log files, temperature, the input."),
      N_("Look at clocks and temperature, host memory and swap, and the wait for data at the start "
         "and at the end."),
      ""};
  return StatedOfEach(kClaim, facts, FactId::kLogStepDrift,
                      {FactId::kLogSlowestLine, FactId::kLogLine},
                      [](const Fact& f) { return f.Number() >= kDrift; });
}

}  // namespace gpuwhy
