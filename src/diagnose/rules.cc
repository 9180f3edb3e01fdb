#include "diagnose/rule.h"
#include "diagnose/rules/cpu_contended.h"
#include "diagnose/rules/cpu_quota_throttled.h"
#include "diagnose/rules/input_cpu_transform.h"
#include "diagnose/rules/input_io_throttled.h"
#include "diagnose/rules/input_metadata_storm.h"
#include "diagnose/rules/input_storage_latency.h"
#include "diagnose/rules/input_too_few_workers.h"
#include "diagnose/rules/job_no_demand.h"
#include "diagnose/rules/trace_rules.h"

namespace gpuwhy {
namespace {

// By stage of the fast guide, then by id. The order decides nothing: ranking is independent of it.
constexpr Rule kRules[] = {
    {"cpu.contended", CpuContended},
    {"cpu.quota-throttled", CpuQuotaThrottled},
    {"input.cpu-transform", InputCpuTransform},
    {"input.io-throttled", InputIoThrottled},
    {"input.metadata-storm", InputMetadataStorm},
    {"input.storage-latency", InputStorageLatency},
    {"input.too-few-workers", InputTooFewWorkers},
    {"job.no-demand", JobNoDemand},
    // On profiler traces.
    {"env.launch-blocking", EnvLaunchBlocking},
    {"input.batch-small", InputBatchSmall},
    {"input.pageable-memory", InputPageableMemory},
    {"precision.tensor-cores-idle", PrecisionTensorCoresIdle},
    {"precision.tf32-off", PrecisionTf32Off},
    {"scaling.comm-bound", ScalingCommBound},
    {"scaling.peer-wait", ScalingPeerWait},
    {"scaling.straggler", ScalingStraggler},
    {"scaling.uneven-work", ScalingUnevenWork},
    {"software.recompiling", SoftwareRecompiling},
    {"step.compute-bound", StepComputeBound},
    {"step.contains-other-phase", StepContainsOtherPhase},
    {"step.input-bound", StepInputBound},
    {"step.launch-bound", StepLaunchBound},
    {"step.optimizer-bound", StepOptimizerBound},
    {"step.reformat-bound", StepReformatBound},
    {"step.sync-bound", StepSyncBound},
    {"step.transfer-bound", StepTransferBound},
    {"step.unexplained", StepUnexplained},
};

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

}  // namespace gpuwhy
