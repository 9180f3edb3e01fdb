#include "diagnose/rule.h"
#include "diagnose/rules/cpu_contended.h"
#include "diagnose/rules/cpu_quota_throttled.h"
#include "diagnose/rules/input_cpu_transform.h"
#include "diagnose/rules/input_io_throttled.h"
#include "diagnose/rules/input_metadata_storm.h"
#include "diagnose/rules/input_storage_latency.h"
#include "diagnose/rules/input_too_few_workers.h"
#include "diagnose/rules/job_no_demand.h"
#include "diagnose/rules/job_trend.h"
#include "diagnose/rules/measured_links.h"
#include "diagnose/rules/refused_allocation.h"
#include "diagnose/rules/stated_driver.h"
#include "diagnose/rules/stated_job.h"
#include "diagnose/rules/stated_xid.h"
#include "diagnose/rules/step_log.h"

namespace gpuwhy {
namespace {

// By stage of the fast guide, then by id. The order decides nothing: ranking is independent of it.
constexpr Rule kRules[] = {
    {"container.gpu-lost", ContainerGpuLost},
    {"container.no-gpu", ContainerNoGpu},
    {"cpu.contended", CpuContended},
    {"cpu.quota-throttled", CpuQuotaThrottled},
    {"driver.cuda-broken", DriverCudaBroken},
    {"driver.fabric-manager", DriverFabricManager},
    {"driver.fabric-manager-unneeded", DriverFabricManagerUnneeded},
    {"driver.hung", DriverHung},
    {"driver.libcuda-missing", DriverLibcudaMissing},
    {"driver.library-mismatch", DriverLibraryMismatch},
    {"driver.module-other-kernel", DriverModuleOtherKernel},
    {"driver.not-loaded", DriverNotLoaded},
    {"driver.nouveau", DriverNouveau},
    {"driver.secure-boot", DriverSecureBoot},
    {"driver.too-old", DriverTooOld},
    {"driver.uvm-missing", DriverUvmMissing},
    {"ecc.remap-failed", XidRemapFailed},
    {"ecc.uncorrectable", XidUncorrectable},
    {"env.launch-blocking", EnvLaunchBlocking},
    {"env.visible-devices", EnvVisibleDevices},
    {"gpu.fallen-off-bus", XidFallenOffBus},
    {"gpu.reset-needed", XidResetNeeded},
    {"host.memory-pressure", HostMemoryPressure},
    {"host.memory-step", HostMemoryStep},
    {"host.oom-kill", HostOomKill},
    {"input.cpu-transform", InputCpuTransform},
    {"input.io-throttled", InputIoThrottled},
    {"input.metadata-storm", InputMetadataStorm},
    {"input.network-filesystem", InputNetworkFilesystem},
    {"input.shm-small", InputShmSmall},
    {"input.starting", InputStarting},
    {"input.storage-latency", InputStorageLatency},
    {"input.too-few-workers", InputTooFewWorkers},
    {"job.jitter", JobJitter},
    {"job.no-demand", JobNoDemand},
    {"job.on-cpu", JobOnCpu},
    {"job.slowing", JobSlowing},
    {"job.stuck", JobStuck},
    {"launch.rendezvous", LaunchRendezvous},
    {"metric.cumulative", MetricCumulative},
    {"model.partly-on-cpu", ModelPartlyOnCpu},
    {"nccl.data-corruption", NcclDataCorruption},
    {"nccl.gdr-off", NcclGdrOff},
    {"nccl.hang", NcclHang},
    {"nccl.protocol-step", NcclProtocolStep},
    {"nccl.socket-fallback", NcclSocketFallback},
    {"nccl.wrong-interface", NcclWrongInterface},
    {"net.link-degraded", NetLinkDegraded},
    {"net.unreachable", NetUnreachable},
    {"numa.cpu-remote", NumaCpuRemote},
    {"nvlink.errors", XidNvlinkErrors},
    {"precision.scale-probing", PrecisionScaleProbing},
    {"precision.unstable", PrecisionUnstable},
    {"scaling.comm-bound", ScalingCommBound},
    {"scaling.pipeline-wait", ScalingPipelineWait},
    {"software.library-missing", SoftwareLibraryMissing},
    {"software.recompiling", SoftwareRecompiling},
    {"step.compute-bound", StepComputeBound},
    {"step.contains-other-phase", StepContainsOtherPhase},
    {"step.input-bound", StepInputBound},
    {"step.launch-bound", StepLaunchBound},
    {"step.optimizer-bound", StepOptimizerBound},
    {"step.unexplained", StepUnexplained},
    {"topo.p2p-slower", TopoP2pSlower},
    {"vram.fragmented", VramFragmented},
    {"vram.limit-elsewhere", VramLimitElsewhere},
    {"vram.other-process", VramOtherProcess},
    {"vram.too-small", VramTooSmall},
    {"xid.application", XidApplication},
    {"xid.hardware", XidHardware},
    {"xid.recovery-action", XidRecoveryAction},
};

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

}  // namespace gpuwhy
