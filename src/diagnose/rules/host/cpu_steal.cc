#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult CpuSteal(const FactSet& facts, const Policy& policy) {
  // It hits every process that wants a CPU, so no line of the job's own is asked for; a GPU that is
  // busy all the same does not miss it.
  static constexpr StatedClaim kClaim{
      "cpu.steal",
      Severity::kWarning,
      Confidence::kMedium,
      N_("The hypervisor takes CPU time away from this virtual machine"),
      N_("In every report the virtual CPUs were ready to run and stood still for this share of the "
         "time, because the physical ones were given to others. Nothing inside shows who they "
         "are."),
      N_("Mend it outside of this machine: it has not the CPUs that it was sold."),
      N_("Ask for dedicated or pinned CPUs, leave burstable instance types, or move the machine to "
         "another host."),
      "vmstat 5 6"};
  if (!facts.pasted || LoadOfGpus(facts, policy.gpu) == GpuLoad::kBusy) return {};
  const std::vector<const Fact*> figures = NumbersOf(facts, FactId::kHostCpuSteal);
  if (figures.empty()) return NotOfNow("cpu.steal", facts, FactId::kHostCpuSteal);
  for (const Fact* steal : figures) {
    if (steal->interval.low < policy.host.steal) continue;
    if (!IsOfEnoughReports(*steal, policy.host))
      return NotOfNow("cpu.steal", facts, FactId::kHostCpuSteal);
    std::vector<const Fact*> evidence{steal};
    for (const Fact* other : AllOf(facts, {FactId::kHostCpuBusy, FactId::kHostHypervisor}))
      evidence.push_back(other);
    for (const Fact* line : HostLines(facts, *steal)) evidence.push_back(line);
    return Stated(kClaim, evidence);
  }
  return {};
}

}  // namespace gpuwhy
