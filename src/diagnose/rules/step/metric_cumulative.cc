#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult MetricCumulative(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "metric.cumulative",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The printed rate is a mean since the start"),
      N_("Its drift is no drift of the job, and a stall shows in it as a small dip."),
      N_("Judge by the time stamps of the lines instead."),
      N_("Print the rate of the last interval."),
      ""};
  return StatedOfEach(kClaim, facts, FactId::kLogRateRunningMean,
                      {FactId::kLogRateLine, FactId::kLogLine},
                      [](const Fact& /*f*/) { return true; });
}

}  // namespace gpuwhy
