// What messages say of the driver, the container and the libraries. One function a finding.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult DriverFabricManager(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverFabricManagerUnneeded(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverTooOld(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverLibraryMismatch(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverNotLoaded(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverSecureBoot(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverModuleOtherKernel(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverNouveau(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverCudaBroken(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverLibcudaMissing(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverUvmMissing(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult DriverHung(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ContainerNoGpu(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult ContainerGpuLost(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult EnvVisibleDevices(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult SoftwareLibraryMissing(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult JobOnCpu(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
