#include "diagnose/rules/cpu_oversubscribed.h"

#include "base/i18n.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult CpuOversubscribed(const FactSet& facts, const Policy& /*policy*/) {
  // The framework compares two numbers. Whether the workers get in each other's way it can't know.
  constexpr StatedClaim kClaim{
      "cpu.oversubscribed",
      Severity::kInfo,
      Confidence::kLow,
      N_("The loader has more workers than the process may use CPUs"),
      N_("The framework itself says so. Workers that take turns on a CPU load no faster, and take "
         "it from the training loop; the process may also have been given too few CPUs."),
      N_("See how many CPUs the job was given before lowering the workers."),
      N_("Ask for the CPUs (--cpus-per-task, requests of the pod), or set num_workers to what it "
         "has."),
      "nproc; grep Cpus_allowed_list /proc/self/status"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidManyWorkers}));
}

}  // namespace gpuwhy
