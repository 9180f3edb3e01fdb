#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr double kPressure = 0.10;  ///< of the time some task waited for memory

}  // namespace

RuleResult HostMemoryPressure(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "host.memory-pressure",
      Severity::kWarning,
      Confidence::kHigh,
      N_("Tasks wait for host memory"),
      N_("The kernel reclaims memory while tasks stand still for it."),
      N_("Free host memory before looking at anything else."),
      N_("Fewer loader workers, a smaller prefetch or page-locked pool, or a larger memory limit; "
         "end what else uses memory on this host."),
      "cat /proc/pressure/memory"};
  if (!Has(facts, FactId::kPsiLine)) return {};
  const Reading<double> full = facts.Number(FactId::kPsiMemoryFull, Subject{});
  return StatedOfEach(
      kClaim, facts, FactId::kHostPsiMemory, {FactId::kPsiMemoryFull, FactId::kPsiLine},
      [&](const Fact& f) { return f.Number() >= kPressure && full && *full >= kPressure / 2; });
}

}  // namespace gpuwhy
