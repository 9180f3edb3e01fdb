#include "base/i18n.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/host/host_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr StatedClaim kKernel{
    "cpu.kernel-time",
    Severity::kInfo,
    Confidence::kMedium,
    N_("Much of the CPU time is spent in the kernel"),
    N_("System calls and interrupts take it: the network, file systems, page faults or memory that "
       "is given and taken back. It is the whole host's, not the job's alone."),
    N_("Worth a look where the job is short of CPU; by itself no cause."),
    N_("perf top, or bpftrace on the job's system calls, shows which part of the kernel it is."),
    "mpstat -P ALL 5 3"};

constexpr StatedClaim kInterrupts{
    "cpu.kernel-time",
    Severity::kInfo,
    Confidence::kMedium,
    N_("Interrupts fill one core"),
    N_("One core serves interrupts nearly all of the time while the others have less. What comes "
       "through it, mostly a network card's queue, can't get faster, and a thread that runs there "
       "stands still."),
    N_("Spread the interrupts before blaming what waits for this card."),
    N_("Start irqbalance, use more queues (ethtool -L), or set /proc/irq/*/smp_affinity_list; keep "
       "the job's threads off that core."),
    "mpstat -I SUM -P ALL 5 2; cat /proc/interrupts"};

}  // namespace

RuleResult CpuKernelTime(const FactSet& facts, const Policy& policy) {
  if (!facts.pasted) return {};
  for (const Fact* share : NumbersOf(facts, FactId::kHostCoreInterrupts)) {
    if (share->interval.low < policy.host.interrupts) continue;
    if (!IsOfEnoughReports(*share, policy.host))
      return NotOfNow("cpu.kernel-time", facts, FactId::kHostCoreInterrupts);
    std::vector<const Fact*> evidence{share};
    for (const Fact* line : HostLines(facts, *share)) evidence.push_back(line);
    return Stated(kInterrupts, evidence);
  }
  for (const Fact* share : NumbersOf(facts, FactId::kHostCpuKernel)) {
    if (share->interval.low < policy.host.kernel || !IsOfEnoughReports(*share, policy.host))
      continue;
    std::vector<const Fact*> evidence{share};
    for (const Fact* line : HostLines(facts, *share)) evidence.push_back(line);
    return Stated(kKernel, evidence);
  }
  return {};
}

}  // namespace gpuwhy
