#include "diagnose/rules/input_starting.h"

#include "base/i18n.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult InputStarting(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "input.starting",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The shuffle buffer is being filled"),
      N_("The first step waits until it is full. It moves: this is a start, not a hang."),
      N_("Wait, or make the buffer smaller."),
      N_("Use a smaller shuffle buffer, or shuffle file names instead of records."),
      ""};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidShuffleFilling}));
}

}  // namespace gpuwhy
