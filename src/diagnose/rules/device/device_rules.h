// Rules of the GPU, its memory, clocks, links and slot: one a file.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult CaptureIncomplete(const FactSet& facts,
                                           const Policy& policy);  ///< capture.incomplete
[[nodiscard]] RuleResult ClockApplicationsLow(const FactSet& facts,
                                              const Policy& policy);  ///< clock.applications-low
[[nodiscard]] RuleResult ClockFlagInconsistent(const FactSet& facts,
                                               const Policy& policy);  ///< clock.flag-inconsistent
[[nodiscard]] RuleResult ClockHwSlowdown(const FactSet& facts,
                                         const Policy& policy);  ///< clock.hw-slowdown
[[nodiscard]] RuleResult ClockIdle(const FactSet& facts, const Policy& policy);  ///< clock.idle
[[nodiscard]] RuleResult ClockPowerBrake(const FactSet& facts,
                                         const Policy& policy);  ///< clock.power-brake
[[nodiscard]] RuleResult ClockPowerCap(const FactSet& facts,
                                       const Policy& policy);  ///< clock.power-cap
[[nodiscard]] RuleResult ClockPowerLimitLowered(
    const FactSet& facts, const Policy& policy);  ///< clock.power-limit-lowered
[[nodiscard]] RuleResult ClockStuckLow(const FactSet& facts,
                                       const Policy& policy);  ///< clock.stuck-low
[[nodiscard]] RuleResult ClockSyncBoost(const FactSet& facts,
                                        const Policy& policy);  ///< clock.sync-boost
[[nodiscard]] RuleResult ClockThermal(const FactSet& facts,
                                      const Policy& policy);                      ///< clock.thermal
[[nodiscard]] RuleResult EccHistory(const FactSet& facts, const Policy& policy);  ///< ecc.history
[[nodiscard]] RuleResult EccRemapFailed(const FactSet& facts,
                                        const Policy& policy);  ///< ecc.remap-failed
[[nodiscard]] RuleResult EccRemapPending(const FactSet& facts,
                                         const Policy& policy);  ///< ecc.remap-pending
[[nodiscard]] RuleResult EccUncorrectable(const FactSet& facts,
                                          const Policy& policy);  ///< ecc.uncorrectable
[[nodiscard]] RuleResult GpuBusyLowPower(const FactSet& facts,
                                         const Policy& policy);  ///< gpu.busy-low-power
[[nodiscard]] RuleResult GpuComputeBound(const FactSet& facts,
                                         const Policy& policy);  ///< gpu.compute-bound
[[nodiscard]] RuleResult GpuComputeMode(const FactSet& facts,
                                        const Policy& policy);  ///< gpu.compute-mode
[[nodiscard]] RuleResult GpuShared(const FactSet& facts, const Policy& policy);  ///< gpu.shared
[[nodiscard]] RuleResult GpuFallenOffBus(const FactSet& facts,
                                         const Policy& policy);  ///< gpu.fallen-off-bus
[[nodiscard]] RuleResult GpuIdle(const FactSet& facts, const Policy& policy);  ///< gpu.idle
[[nodiscard]] RuleResult GpuInforomCorrupted(const FactSet& facts,
                                             const Policy& policy);  ///< gpu.inforom-corrupted
[[nodiscard]] RuleResult GpuMemoryBound(const FactSet& facts,
                                        const Policy& policy);  ///< gpu.memory-bound
[[nodiscard]] RuleResult GpuMemoryHeldIdle(const FactSet& facts,
                                           const Policy& policy);  ///< gpu.memory-held-idle
[[nodiscard]] RuleResult GpuMigSlice(const FactSet& facts,
                                     const Policy& policy);  ///< gpu.mig-slice
[[nodiscard]] RuleResult GpuMissingPeer(const FactSet& facts,
                                        const Policy& policy);  ///< gpu.missing-peer
[[nodiscard]] RuleResult GpuNotFound(const FactSet& facts,
                                     const Policy& policy);  ///< gpu.not-found
[[nodiscard]] RuleResult GpuResetNeeded(const FactSet& facts,
                                        const Policy& policy);  ///< gpu.reset-needed
[[nodiscard]] RuleResult GpuSensorUnreadable(const FactSet& facts,
                                             const Policy& policy);  ///< gpu.sensor-unreadable
[[nodiscard]] RuleResult GpuUtilizationStale(const FactSet& facts,
                                             const Policy& policy);  ///< gpu.utilization-stale
[[nodiscard]] RuleResult GpuVideoEngineBound(const FactSet& facts,
                                             const Policy& policy);  ///< gpu.video-engine-bound
[[nodiscard]] RuleResult GpuWaiting(const FactSet& facts, const Policy& policy);  ///< gpu.waiting
[[nodiscard]] RuleResult NumaCpuRemote(const FactSet& facts,
                                       const Policy& policy);  ///< numa.cpu-remote
[[nodiscard]] RuleResult NvlinkDown(const FactSet& facts, const Policy& policy);  ///< nvlink.down
[[nodiscard]] RuleResult NvlinkErrors(const FactSet& facts,
                                      const Policy& policy);  ///< nvlink.errors
[[nodiscard]] RuleResult NvlinkFabricNotJoined(const FactSet& facts,
                                               const Policy& policy);  ///< nvlink.fabric-not-joined
[[nodiscard]] RuleResult PcieErrors(const FactSet& facts, const Policy& policy);  ///< pcie.errors
[[nodiscard]] RuleResult PcieGenDegraded(const FactSet& facts,
                                         const Policy& policy);  ///< pcie.gen-degraded
[[nodiscard]] RuleResult PcieGenIdle(const FactSet& facts,
                                     const Policy& policy);  ///< pcie.gen-idle
[[nodiscard]] RuleResult PcieSlotLimited(const FactSet& facts,
                                         const Policy& policy);  ///< pcie.slot-limited
[[nodiscard]] RuleResult PcieWidthDegraded(const FactSet& facts,
                                           const Policy& policy);  ///< pcie.width-degraded
[[nodiscard]] RuleResult PersistenceOff(const FactSet& facts,
                                        const Policy& policy);  ///< persistence.off
[[nodiscard]] RuleResult ThermalHistory(const FactSet& facts,
                                        const Policy& policy);  ///< thermal.history
[[nodiscard]] RuleResult ThermalHot(const FactSet& facts, const Policy& policy);  ///< thermal.hot
[[nodiscard]] RuleResult TopoP2pSlower(const FactSet& facts,
                                       const Policy& policy);  ///< topo.p2p-slower
[[nodiscard]] RuleResult TopoP2pUnavailable(const FactSet& facts,
                                            const Policy& policy);  ///< topo.p2p-unavailable
[[nodiscard]] RuleResult VramBar1Exhausted(const FactSet& facts,
                                           const Policy& policy);  ///< vram.bar1-exhausted
[[nodiscard]] RuleResult VramOwnerUnknown(const FactSet& facts,
                                          const Policy& policy);  ///< vram.owner-unknown
[[nodiscard]] RuleResult XidApplication(const FactSet& facts,
                                        const Policy& policy);  ///< xid.application
[[nodiscard]] RuleResult XidHardware(const FactSet& facts, const Policy& policy);  ///< xid.hardware
[[nodiscard]] RuleResult XidRecoveryAction(const FactSet& facts,
                                           const Policy& policy);  ///< xid.recovery-action

}  // namespace gpuwhy
