#include "diagnose/rule.h"
#include "diagnose/rules/cpu_contended.h"
#include "diagnose/rules/cpu_quota_throttled.h"
#include "diagnose/rules/input_cpu_transform.h"
#include "diagnose/rules/input_io_throttled.h"
#include "diagnose/rules/input_metadata_storm.h"
#include "diagnose/rules/input_storage_latency.h"
#include "diagnose/rules/input_too_few_workers.h"
#include "diagnose/rules/job_no_demand.h"

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
};

}  // namespace

std::span<const Rule> AllRules() { return kRules; }

}  // namespace gpuwhy
