#include "diagnose/rule.h"
#include "diagnose/rules/cpu_affinity_narrow.h"
#include "diagnose/rules/cpu_contended.h"
#include "diagnose/rules/cpu_oversubscribed.h"
#include "diagnose/rules/cpu_quota_throttled.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/input_cpu_transform.h"
#include "diagnose/rules/input_io_throttled.h"
#include "diagnose/rules/input_metadata_storm.h"
#include "diagnose/rules/input_network_filesystem.h"
#include "diagnose/rules/input_shm_small.h"
#include "diagnose/rules/input_starting.h"
#include "diagnose/rules/input_storage_latency.h"
#include "diagnose/rules/input_too_few_workers.h"
#include "diagnose/rules/job_no_demand.h"
#include "diagnose/rules/memory/memory_rules.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/step/step_rules.h"
#include "diagnose/rules/trace/trace_rules.h"

namespace gpuwhy {
namespace {

// What a trace proves and what a log says of the same cause are judged by different facts.
using Evaluate = RuleResult (*)(const FactSet&, const Policy&);
template <Evaluate OnTrace, Evaluate Otherwise>
RuleResult Either(const FactSet& facts, const Policy& policy) {
  return facts.traced ? OnTrace(facts, policy) : Otherwise(facts, policy);
}

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
    {"container.gpu-lost", ContainerGpuLost},
    {"container.no-gpu", ContainerNoGpu},
    {"cpu.affinity-narrow", CpuAffinityNarrow},
    {"cpu.contended", CpuContended},
    {"cpu.frequency-low", CpuFrequencyLow},
    {"cpu.kernel-time", CpuKernelTime},
    {"cpu.oversubscribed", CpuOversubscribed},
    {"cpu.quota-throttled", CpuQuotaThrottled},
    {"cpu.saturated", CpuSaturated},
    {"cpu.single-thread", CpuSingleThread},
    {"cpu.steal", CpuSteal},
    {"driver.cuda-broken", DriverCudaBroken},
    {"driver.fabric-manager", DriverFabricManager},
    {"driver.fabric-manager-unneeded", DriverFabricManagerUnneeded},
    {"driver.hung", DriverHung},
    {"driver.init-slow", DriverInitSlow},
    {"driver.libcuda-missing", DriverLibcudaMissing},
    {"driver.library-mismatch", DriverLibraryMismatch},
    {"driver.module-other-kernel", DriverModuleOtherKernel},
    {"driver.not-loaded", DriverNotLoaded},
    {"driver.nouveau", DriverNouveau},
    {"driver.secure-boot", DriverSecureBoot},
    {"driver.too-old", DriverTooOld},
    {"driver.uvm-missing", DriverUvmMissing},
    {"ecc.history", EccHistory},
    {"ecc.remap-failed", EccRemapFailed},
    {"ecc.remap-pending", EccRemapPending},
    {"ecc.uncorrectable", EccUncorrectable},
    {"env.allocator", EnvAllocator},
    {"env.launch-blocking", Either<traced::EnvLaunchBlocking, EnvLaunchBlocking>},
    {"env.nccl", EnvNccl},
    {"env.threads", EnvThreads},
    {"env.visible-devices", EnvVisibleDevices},
    {"gpu.busy-low-power", GpuBusyLowPower},
    {"gpu.compute-bound", GpuComputeBound},
    {"gpu.compute-mode", GpuComputeMode},
    {"gpu.fallen-off-bus", GpuFallenOffBus},
    {"gpu.idle", GpuIdle},
    {"gpu.inforom-corrupted", GpuInforomCorrupted},
    {"gpu.memory-bound", GpuMemoryBound},
    {"gpu.memory-held-idle", GpuMemoryHeldIdle},
    {"gpu.mig-slice", GpuMigSlice},
    {"gpu.missing-peer", GpuMissingPeer},
    {"gpu.not-found", GpuNotFound},
    {"gpu.reset-needed", GpuResetNeeded},
    {"gpu.sensor-unreadable", GpuSensorUnreadable},
    {"gpu.shared", GpuShared},
    {"gpu.utilization-stale", GpuUtilizationStale},
    {"gpu.video-engine-bound", GpuVideoEngineBound},
    {"gpu.waiting", GpuWaiting},
    {"host.memory-pressure", HostMemoryPressure},
    {"host.memory-step", HostMemoryStep},
    {"host.oom-kill", HostOomKill},
    {"host.swap-in-use", HostSwapInUse},
    {"host.swapping", HostSwapping},
    {"input.batch-small", traced::InputBatchSmall},
    {"input.cpu-transform", InputCpuTransform},
    {"input.io-throttled", InputIoThrottled},
    {"input.metadata-storm", InputMetadataStorm},
    {"input.network-filesystem", InputNetworkFilesystem},
    {"input.pageable-memory", traced::InputPageableMemory},
    {"input.shm-small", InputShmSmall},
    {"input.starting", InputStarting},
    {"input.storage-latency", InputStorageLatency},
    {"input.too-few-workers", InputTooFewWorkers},
    {"job.crashed", JobCrashed},
    {"job.jitter", JobJitter},
    {"job.no-demand", JobNoDemand},
    {"job.on-cpu", JobOnCpu},
    {"job.slowing", JobSlowing},
    {"job.stuck", JobStuck},
    {"kernel.iommu", KernelIommu},
    {"launch.rendezvous", LaunchRendezvous},
    {"metric.cumulative", MetricCumulative},
    {"metric.since-boot", MetricSinceBoot},
    {"model.partly-on-cpu", ModelPartlyOnCpu},
    {"nccl.data-corruption", NcclDataCorruption},
    {"nccl.gdr-off", NcclGdrOff},
    {"nccl.hang", NcclHang},
    {"nccl.p2p-disabled", NcclP2pDisabled},
    {"nccl.protocol-step", NcclProtocolStep},
    {"nccl.socket-fallback", NcclSocketFallback},
    {"nccl.wrong-interface", NcclWrongInterface},
    {"net.ipoib-down", NetIpoibDown},
    {"net.link-degraded", NetLinkDegraded},
    {"net.unreachable", NetUnreachable},
    {"numa.cpu-remote", NumaCpuRemote},
    {"nvlink.down", NvlinkDown},
    {"nvlink.errors", NvlinkErrors},
    {"nvlink.fabric-not-joined", NvlinkFabricNotJoined},
    {"pcie.errors", PcieErrors},
    {"pcie.gen-degraded", PcieGenDegraded},
    {"pcie.gen-idle", PcieGenIdle},
    {"pcie.slot-limited", PcieSlotLimited},
    {"pcie.width-degraded", PcieWidthDegraded},
    {"persistence.off", PersistenceOff},
    {"precision.scale-probing", PrecisionScaleProbing},
    {"precision.tensor-cores-idle", traced::PrecisionTensorCoresIdle},
    {"precision.tf32-off", traced::PrecisionTf32Off},
    {"precision.unstable", PrecisionUnstable},
    {"scaling.comm-bound", Either<traced::ScalingCommBound, ScalingCommBound>},
    {"scaling.peer-wait", traced::ScalingPeerWait},
    {"scaling.pipeline-wait", ScalingPipelineWait},
    {"scaling.straggler", traced::ScalingStraggler},
    {"scaling.uneven-work", traced::ScalingUnevenWork},
    {"software.library-missing", SoftwareLibraryMissing},
    {"software.recompiling", Either<traced::SoftwareRecompiling, SoftwareRecompiling>},
    {"step.compute-bound", Either<traced::StepComputeBound, StepComputeBound>},
    {"step.contains-other-phase", Either<traced::StepContainsOtherPhase, StepContainsOtherPhase>},
    {"step.input-bound", Either<traced::StepInputBound, StepInputBound>},
    {"step.launch-bound", Either<traced::StepLaunchBound, StepLaunchBound>},
    {"step.optimizer-bound", Either<traced::StepOptimizerBound, StepOptimizerBound>},
    {"step.reformat-bound", traced::StepReformatBound},
    {"step.sync-bound", traced::StepSyncBound},
    {"step.transfer-bound", traced::StepTransferBound},
    {"step.unexplained", Either<traced::StepUnexplained, StepUnexplained>},
    {"thermal.history", ThermalHistory},
    {"thermal.hot", ThermalHot},
    {"topo.p2p-slower", TopoP2pSlower},
    {"topo.p2p-unavailable", TopoP2pUnavailable},
    {"vram.bar1-exhausted", VramBar1Exhausted},
    {"vram.fragmented", VramFragmented},
    {"vram.limit-elsewhere", VramLimitElsewhere},
    {"vram.other-process", VramOtherProcess},
    {"vram.owner-unknown", VramOwnerUnknown},
    {"vram.stray-contexts", VramStrayContexts},
    {"vram.too-small", VramTooSmall},
    {"xid.application", XidApplication},
    {"xid.hardware", XidHardware},
    {"xid.recovery-action", XidRecoveryAction},
};

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

}  // namespace gpuwhy
