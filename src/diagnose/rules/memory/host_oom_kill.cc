#include "base/i18n.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult HostOomKill(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "host.oom-kill",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The kernel killed a process because host memory ran out"),
      N_("The limit of the job's cgroup or the memory of the host was reached. This is host "
         "memory, not the GPU's."),
      N_("Give the job more host memory, or make it need less."),
      N_("Raise the memory request of the job or pod; fewer loader workers and a smaller prefetch "
         "also need less; a process that grows over time has a leak."),
      "dmesg -T | grep -iE 'out of memory|oom-kill'"};
  if (!Has(facts, FactId::kSaidMemcgKill)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidMemcgKill, FactId::kSaidKilledProcess}));
}

}  // namespace gpuwhy
