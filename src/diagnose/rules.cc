#include "diagnose/rule.h"
#include "diagnose/rules/cpu_contended.h"
#include "diagnose/rules/cpu_quota_throttled.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/input_cpu_transform.h"
#include "diagnose/rules/input_io_throttled.h"
#include "diagnose/rules/input_metadata_storm.h"
#include "diagnose/rules/input_storage_latency.h"
#include "diagnose/rules/input_too_few_workers.h"
#include "diagnose/rules/job_no_demand.h"

namespace gpuwhy {
namespace {

// By id. The order decides nothing: ranking is independent of it.
constexpr Rule kRules[] = {
    {"capture.incomplete", CaptureIncomplete},
    {"clock.applications-low", ClockApplicationsLow},
    {"clock.flag-inconsistent", ClockFlagInconsistent},
    {"clock.hw-slowdown", ClockHwSlowdown},
    {"clock.idle", ClockIdle},
    {"clock.power-brake", ClockPowerBrake},
    {"clock.power-cap", ClockPowerCap},
    {"clock.power-limit-lowered", ClockPowerLimitLowered},
    {"clock.stuck-low", ClockStuckLow},
    {"clock.sync-boost", ClockSyncBoost},
    {"clock.thermal", ClockThermal},
    {"cpu.contended", CpuContended},
    {"cpu.quota-throttled", CpuQuotaThrottled},
    {"driver.library-mismatch", DriverLibraryMismatch},
    {"driver.not-loaded", DriverNotLoaded},
    {"driver.nouveau", DriverNouveau},
    {"driver.uvm-missing", DriverUvmMissing},
    {"ecc.history", EccHistory},
    {"ecc.remap-failed", EccRemapFailed},
    {"ecc.remap-pending", EccRemapPending},
    {"ecc.uncorrectable", EccUncorrectable},
    {"gpu.busy-low-power", GpuBusyLowPower},
    {"gpu.compute-bound", GpuComputeBound},
    {"gpu.fallen-off-bus", GpuFallenOffBus},
    {"gpu.idle", GpuIdle},
    {"gpu.inforom-corrupted", GpuInforomCorrupted},
    {"gpu.memory-bound", GpuMemoryBound},
    {"gpu.memory-held-idle", GpuMemoryHeldIdle},
    {"gpu.mig-slice", GpuMigSlice},
    {"gpu.missing-peer", GpuMissingPeer},
    {"gpu.not-found", GpuNotFound},
    {"gpu.sensor-unreadable", GpuSensorUnreadable},
    {"gpu.utilization-stale", GpuUtilizationStale},
    {"gpu.video-engine-bound", GpuVideoEngineBound},
    {"gpu.waiting", GpuWaiting},
    {"input.cpu-transform", InputCpuTransform},
    {"input.io-throttled", InputIoThrottled},
    {"input.metadata-storm", InputMetadataStorm},
    {"input.storage-latency", InputStorageLatency},
    {"input.too-few-workers", InputTooFewWorkers},
    {"job.no-demand", JobNoDemand},
    {"kernel.iommu", KernelIommu},
    {"nvlink.down", NvlinkDown},
    {"nvlink.fabric-not-joined", NvlinkFabricNotJoined},
    {"pcie.gen-degraded", PcieGenDegraded},
    {"pcie.gen-idle", PcieGenIdle},
    {"pcie.slot-limited", PcieSlotLimited},
    {"pcie.width-degraded", PcieWidthDegraded},
    {"persistence.off", PersistenceOff},
    {"thermal.history", ThermalHistory},
    {"thermal.hot", ThermalHot},
    {"vram.bar1-exhausted", VramBar1Exhausted},
    {"vram.owner-unknown", VramOwnerUnknown},
};

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

}  // namespace gpuwhy
