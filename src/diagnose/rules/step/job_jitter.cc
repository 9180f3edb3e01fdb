#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {
namespace {

constexpr double kJitter = 0.10;  ///< of the time lost in single steps

constexpr double kRateFall = 0.03;  ///< a mean since the start that falls at once by this much

}  // namespace

RuleResult JobJitter(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.jitter",
      Severity::kWarning,
      Confidence::kMedium,
      N_("A few slow steps carry the loss"),
      N_("Most steps are even; single ones take many times as long."),
      N_("Look at what happens in the slow ones, not at the mean."),
      N_("Check whether they come at a fixed distance (checkpoint, validation, shard change, "
         "garbage collection) or when others use the storage."),
      ""};
  RuleResult result = StatedOfEach(kClaim, facts, FactId::kLogStepJitter,
                                   {FactId::kLogSlowestLine, FactId::kLogDataLine},
                                   [](const Fact& f) { return f.Number() >= kJitter; });
  RuleResult hidden = StatedOfEach(kClaim, facts, FactId::kLogRateFall, {FactId::kLogRateLine},
                                   [](const Fact& f) { return f.Number() >= kRateFall; });
  for (Finding& finding : hidden.findings) {
    finding.meaning =
        _("The printed rate is a mean since the start. That it falls at once means that steps in "
          "between stood still for long.");
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
