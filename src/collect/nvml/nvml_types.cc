#include "collect/nvml/nvml_types.h"

// The vendor's own header, where there is one: then our numbers are checked against it.
#if __has_include(<nvml.h>)
#include <nvml.h>

namespace gpuwhy::nvml {

static_assert(sizeof(PciInfo) == sizeof(nvmlPciInfo_t));
static_assert(sizeof(PlainMemory) == sizeof(nvmlMemory_t));
static_assert(sizeof(PlainMemory) == sizeof(nvmlBAR1Memory_t));
static_assert(sizeof(Memory) == sizeof(nvmlMemory_v2_t));
static_assert(sizeof(Process) == sizeof(nvmlProcessInfo_t));
static_assert(sizeof(FieldValue) == sizeof(nvmlFieldValue_t));
static_assert(offsetof(FieldValue, value) == offsetof(nvmlFieldValue_t, value));
static_assert(sizeof(FabricInfo) == sizeof(nvmlGpuFabricInfo_t));
static_assert(static_cast<int>(Status::kGpuIsLost) == NVML_ERROR_GPU_IS_LOST);
static_assert(static_cast<int>(Status::kResetRequired) == NVML_ERROR_RESET_REQUIRED);
static_assert(static_cast<int>(Status::kLibraryMismatch) == NVML_ERROR_LIB_RM_VERSION_MISMATCH);
static_assert(kClockSm == NVML_CLOCK_SM && kClockMemory == NVML_CLOCK_MEM);
static_assert(kThresholdSlowdown == NVML_TEMPERATURE_THRESHOLD_SLOWDOWN);
static_assert(kThresholdShutdown == NVML_TEMPERATURE_THRESHOLD_SHUTDOWN);
static_assert(kThresholdMemoryMax == NVML_TEMPERATURE_THRESHOLD_MEM_MAX);
static_assert(kPcieTx == NVML_PCIE_UTIL_TX_BYTES && kPcieRx == NVML_PCIE_UTIL_RX_BYTES);
static_assert(sizeof(ProcessLoad) == sizeof(nvmlProcessUtilizationSample_t));
#ifdef NVML_GPM_METRICS_GET_VERSION
static_assert(sizeof(GpmMetric) == sizeof(nvmlGpmMetric_t));
static_assert(offsetof(GpmMetrics, metrics) == offsetof(nvmlGpmMetricsGet_t, metrics));
static_assert(kGpmSm == NVML_GPM_METRIC_SM_UTIL && kGpmDram == NVML_GPM_METRIC_DRAM_BW_UTIL);
static_assert(kGpmTensor == NVML_GPM_METRIC_ANY_TENSOR_UTIL);
#endif
static_assert(kErrorUncorrected == NVML_MEMORY_ERROR_TYPE_UNCORRECTED);
static_assert(kEccAggregate == NVML_AGGREGATE_ECC);
static_assert(kMostLinks == NVML_NVLINK_MAX_LINKS);
static_assert(kLinkCrcData == NVML_NVLINK_ERROR_DL_CRC_DATA);
static_assert(kFieldTimePowerCap == NVML_FI_DEV_PERF_POLICY_POWER);

}  // namespace gpuwhy::nvml
#endif
