// Rules of drivers, containers, libraries and settings: one a file.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult ContainerGpuLost(const FactSet& facts,
                                          const Policy& policy);  ///< container.gpu-lost
[[nodiscard]] RuleResult ContainerNoGpu(const FactSet& facts,
                                        const Policy& policy);  ///< container.no-gpu
[[nodiscard]] RuleResult DriverCudaBroken(const FactSet& facts,
                                          const Policy& policy);  ///< driver.cuda-broken
[[nodiscard]] RuleResult DriverFabricManager(const FactSet& facts,
                                             const Policy& policy);  ///< driver.fabric-manager
[[nodiscard]] RuleResult DriverFabricManagerUnneeded(
    const FactSet& facts, const Policy& policy);  ///< driver.fabric-manager-unneeded
[[nodiscard]] RuleResult DriverHung(const FactSet& facts, const Policy& policy);  ///< driver.hung
[[nodiscard]] RuleResult DriverInitSlow(const FactSet& facts,
                                        const Policy& policy);  ///< driver.init-slow
[[nodiscard]] RuleResult DriverLibcudaMissing(const FactSet& facts,
                                              const Policy& policy);  ///< driver.libcuda-missing
[[nodiscard]] RuleResult DriverLibraryMismatch(const FactSet& facts,
                                               const Policy& policy);  ///< driver.library-mismatch
[[nodiscard]] RuleResult DriverModuleOtherKernel(
    const FactSet& facts, const Policy& policy);  ///< driver.module-other-kernel
[[nodiscard]] RuleResult DriverNotLoaded(const FactSet& facts,
                                         const Policy& policy);  ///< driver.not-loaded
[[nodiscard]] RuleResult DriverNouveau(const FactSet& facts,
                                       const Policy& policy);  ///< driver.nouveau
[[nodiscard]] RuleResult DriverSecureBoot(const FactSet& facts,
                                          const Policy& policy);  ///< driver.secure-boot
[[nodiscard]] RuleResult DriverTooOld(const FactSet& facts,
                                      const Policy& policy);  ///< driver.too-old
[[nodiscard]] RuleResult DriverUvmMissing(const FactSet& facts,
                                          const Policy& policy);  ///< driver.uvm-missing
[[nodiscard]] RuleResult EnvAllocator(const FactSet& facts,
                                      const Policy& policy);  ///< env.allocator
[[nodiscard]] RuleResult EnvLaunchBlocking(const FactSet& facts,
                                           const Policy& policy);  ///< env.launch-blocking
[[nodiscard]] RuleResult EnvNccl(const FactSet& facts, const Policy& policy);     ///< env.nccl
[[nodiscard]] RuleResult EnvThreads(const FactSet& facts, const Policy& policy);  ///< env.threads
[[nodiscard]] RuleResult EnvVisibleDevices(const FactSet& facts,
                                           const Policy& policy);  ///< env.visible-devices
[[nodiscard]] RuleResult JobOnCpu(const FactSet& facts, const Policy& policy);     ///< job.on-cpu
[[nodiscard]] RuleResult KernelIommu(const FactSet& facts, const Policy& policy);  ///< kernel.iommu
[[nodiscard]] RuleResult ModelPartlyOnCpu(const FactSet& facts,
                                          const Policy& policy);  ///< model.partly-on-cpu
[[nodiscard]] RuleResult SoftwareLibraryMissing(
    const FactSet& facts, const Policy& policy);  ///< software.library-missing
[[nodiscard]] RuleResult SoftwareRecompiling(const FactSet& facts,
                                             const Policy& policy);  ///< software.recompiling

}  // namespace gpuwhy
