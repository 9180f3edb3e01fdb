#include "diagnose/rules/cpu_affinity_narrow.h"

#include "base/i18n.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult CpuAffinityNarrow(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "cpu.affinity-narrow",
      Severity::kWarning,
      Confidence::kHigh,
      N_("The process lost most of its CPUs while it started"),
      N_("Its CPU mask was wide at first and is narrow afterwards: a library that it loads pins "
         "threads. Loader workers inherit the mask and share what is left."),
      N_("Give the mask back before adding workers."),
      N_("Call os.sched_setaffinity(0, range(os.cpu_count())) after the imports, or switch the "
         "pinning off (KMP_AFFINITY=disabled, OMP_PROC_BIND=false, GOMP_CPU_AFFINITY unset)."),
      "taskset -cp PID"};
  return StatedOfEach(kClaim, facts, FactId::kAffinityBefore,
                      {FactId::kAffinityAfter, FactId::kAffinityLine},
                      [](const Fact& /*f*/) { return true; });
}

}  // namespace gpuwhy
