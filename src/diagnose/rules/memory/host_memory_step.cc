#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult HostMemoryStep(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "host.memory-step",
      Severity::kInfo,
      Confidence::kMedium,
      N_("Host memory grew, and levels off"),
      N_("Each look finds less growth than the one before: caches and pools fill, nothing leaks "
         "without end."),
      N_("Watch it; do not hunt a leak yet."),
      N_("Take looks over a longer time; a leak grows by the same amount in each."),
      "free -m -s 60"};
  return StatedOfEach(kClaim, facts, FactId::kMemoryGrowthLate,
                      {FactId::kMemoryGrowth, FactId::kMemoryLine},
                      [](const Fact& f) { return f.Number() < 0.5; });
}

}  // namespace gpuwhy
