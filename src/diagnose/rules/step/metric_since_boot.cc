#include "base/i18n.h"
#include "diagnose/rules/stated.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult MetricSinceBoot(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "metric.since-boot",
      Severity::kInfo,
      Confidence::kMedium,
      N_("The report speaks of the time since boot or mount"),
      N_("The first report of these tools is a mean since the start of the host or mount; only the "
         "following ones tell of now."),
      N_("Do not judge the job by it."),
      N_("Take a second report: iostat -x 5 2, nfsiostat 5 2 or mpstat -P ALL 5 1."),
      "iostat -x 5 3"};
  return Stated(kClaim, AllOf(facts, {FactId::kSinceBoot}));
}

}  // namespace gpuwhy
