// Rules on figures of the host that were handed in: one a file. What is said of a whole host proves
// nothing about a job, so most of them ask for a line of the job's own as well. The others of these
// return nothing but for handed-in facts.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult CpuFrequencyLow(const FactSet& facts,
                                         const Policy& policy);  ///< cpu.frequency-low, live
[[nodiscard]] RuleResult CpuKernelTime(const FactSet& facts,
                                       const Policy& policy);  ///< cpu.kernel-time
[[nodiscard]] RuleResult CpuSaturated(const FactSet& facts,
                                      const Policy& policy);  ///< cpu.saturated
[[nodiscard]] RuleResult CpuSingleThread(const FactSet& facts,
                                         const Policy& policy);  ///< cpu.single-thread
[[nodiscard]] RuleResult CpuSteal(const FactSet& facts, const Policy& policy);  ///< cpu.steal
[[nodiscard]] RuleResult HostSwapInUse(const FactSet& facts,
                                       const Policy& policy);  ///< host.swap-in-use
[[nodiscard]] RuleResult HostSwapping(const FactSet& facts,
                                      const Policy& policy);  ///< host.swapping
[[nodiscard]] RuleResult NetIpoibDown(const FactSet& facts,
                                      const Policy& policy);  ///< net.ipoib-down

// What handed-in figures add to rules that also judge live ones.
[[nodiscard]] RuleResult HostContended(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult HostTooFewWorkers(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult HostStorageLatency(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult HostNetworkFilesystem(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
