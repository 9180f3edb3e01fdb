#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult HostSwapping(const FactSet& facts, const Policy& policy) {
  static constexpr StatedClaim kClaim{
      "host.swapping",
      Severity::kWarning,
      Confidence::kLow,
      N_("The host fetches memory back from swap"),
      N_("In every report pages came back from swap, and whoever touched one stood still until it "
         "was there. These figures are of the whole host: that it is the job's memory is likely "
         "where the job is what fills it."),
      N_("Make the job fit into memory before looking at anything else."),
      N_("Fewer loader workers, smaller prefetch and caches, or a host with more memory; end what "
         "else fills it. The job's own part: grep VmSwap /proc/PID/status."),
      "vmstat 5 6; grep VmSwap /proc/[0-9]*/status | sort -k2 -n | tail -5"};
  if (!facts.pasted || LoadOfGpus(facts, policy.gpu) == GpuLoad::kBusy) return {};
  const std::vector<const Fact*> figures = NumbersOf(facts, FactId::kHostSwapIn);
  if (figures.empty()) return NotOfNow("host.swapping", facts, FactId::kHostSwapIn);
  for (const Fact* rate : figures) {
    if (rate->interval.low < policy.host.swap_rate) continue;
    if (!IsOfEnoughReports(*rate, policy.host))
      return NotOfNow("host.swapping", facts, FactId::kHostSwapIn);
    std::vector<const Fact*> evidence{rate};
    for (const Fact* other :
         AllOf(facts, {FactId::kHostSwapOut, FactId::kHostSwapUsed, FactId::kHostMemoryAvailable}))
      evidence.push_back(other);
    for (const Fact* line : HostLines(facts, *rate)) evidence.push_back(line);
    return Stated(kClaim, evidence);
  }
  return {};
}

}  // namespace gpuwhy
