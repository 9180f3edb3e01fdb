// What messages say of the job: collectives, ranks, memory of the host, compilers, loaders. One
// function a finding.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult NcclHang(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult LaunchRendezvous(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult NetUnreachable(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult NcclGdrOff(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult NcclWrongInterface(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult NcclSocketFallback(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult HostOomKill(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult InputNetworkFilesystem(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult InputStarting(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult InputShmSmall(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult SoftwareRecompiling(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ModelPartlyOnCpu(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult JobStuck(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult EnvLaunchBlocking(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
