// NVML's C interface as far as it is used here: declared by ourselves, because its header is not
// on a machine without CUDA. The library keeps these numbers and layouts for ever; where its header
// is installed nvml_types.cc compares them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpuwhy::nvml {

struct DeviceBody;
using Device = DeviceBody*;

/// nvmlReturn_t.
enum class Status : std::int32_t {
  kSuccess = 0,
  kUninitialized = 1,
  kInvalidArgument = 2,
  kNotSupported = 3,
  kNoPermission = 4,
  kNotFound = 6,
  kInsufficientSize = 7,
  kInsufficientPower = 8,
  kDriverNotLoaded = 9,
  kTimeout = 10,
  kLibraryNotFound = 12,
  kFunctionNotFound = 13,
  kCorruptedInforom = 14,
  kGpuIsLost = 15,
  kResetRequired = 16,
  kOperatingSystem = 17,
  kLibraryMismatch = 18,
  kVersionMismatch = 25,
  kDeprecated = 26,
  kNotReady = 27,
  kUnknown = 999,
};

// nvmlClockType_t, nvmlTemperatureThresholds_t, nvmlTemperatureSensors_t.
inline constexpr unsigned kClockSm = 1, kClockMemory = 2;
inline constexpr unsigned kThresholdShutdown = 0, kThresholdSlowdown = 1, kThresholdMemoryMax = 2;
inline constexpr unsigned kSensorGpu = 0;
// nvmlPcieUtilCounter_t.
inline constexpr unsigned kPcieTx = 0, kPcieRx = 1;
// nvmlMemoryErrorType_t, nvmlEccCounterType_t, nvmlPageRetirementCause_t.
inline constexpr unsigned kErrorCorrected = 0, kErrorUncorrected = 1;
inline constexpr unsigned kEccVolatile = 0, kEccAggregate = 1;
inline constexpr unsigned kRetiredSingleBit = 0, kRetiredDoubleBit = 1;
// NVML_NVLINK_MAX_LINKS, nvmlNvLinkErrorCounter_t.
inline constexpr unsigned kMostLinks = 18;
inline constexpr unsigned kLinkReplay = 0, kLinkRecovery = 1, kLinkCrcFlit = 2, kLinkCrcData = 3;
// NVML_FI_DEV_*.
inline constexpr unsigned kFieldTimePowerCap = 74, kFieldTimeSyncBoost = 76;
inline constexpr unsigned kFieldRecoveryAction = 230;
inline constexpr unsigned kFieldTimeSwThermal = 251, kFieldTimeHwThermal = 252,
                          kFieldTimePowerBrake = 253;

// nvmlClocksEventReasons.
inline constexpr std::uint64_t kReasonIdle = 0x1, kReasonApplications = 0x2, kReasonPowerCap = 0x4,
                               kReasonHwSlowdown = 0x8, kReasonSyncBoost = 0x10,
                               kReasonSwThermal = 0x20, kReasonHwThermal = 0x40,
                               kReasonPowerBrake = 0x80, kReasonDisplay = 0x100;

/// nvmlPciInfo_t.
struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

/// nvmlMemory_v2_t.
struct Memory {
  unsigned version;
  unsigned long long total, reserved, free, used;
};
/// nvmlMemory_t and nvmlBAR1Memory_t.
struct PlainMemory {
  unsigned long long total, free, used;
};

/// nvmlUtilization_t.
struct Utilization {
  unsigned gpu, memory;
};

/// nvmlProcessInfo_t, as functions of the second and third version fill it.
struct Process {
  unsigned pid;
  unsigned long long used_memory;
  unsigned gpu_instance, compute_instance;
};

/// nvmlProcessUtilizationSample_t.
struct ProcessLoad {
  unsigned pid;
  unsigned long long timestamp;
  unsigned sm, memory, encoder, decoder;
};

/// nvmlFieldValue_t.
struct FieldValue {
  unsigned field, scope;
  long long timestamp, latency_us;
  unsigned value_type;
  Status status;
  union {
    double d;
    int si;
    unsigned ui;
    unsigned long ul;
    unsigned long long ull;
    signed long long sll;
  } value;
};
// nvmlValueType_t.
inline constexpr unsigned kTypeDouble = 0, kTypeUnsigned = 1, kTypeUnsignedLong = 2,
                          kTypeUnsignedLongLong = 3, kTypeSignedLongLong = 4, kTypeSigned = 5;

/// nvmlGpuFabricInfo_t.
struct FabricInfo {
  unsigned char cluster_uuid[16];
  Status status;
  unsigned clique;
  unsigned char state;
};

/// nvmlMarginTemperature_t.
struct MarginTemperature {
  unsigned version;
  int celsius;
};

struct GpmSampleBody;
using GpmSample = GpmSampleBody*;
/// nvmlGpmSupport_t.
struct GpmSupport {
  unsigned version, supported;
};
/// nvmlGpmMetric_t.
struct GpmMetric {
  unsigned metric;
  Status status;
  double value;
  const char *short_name, *long_name, *unit;
};
// nvmlGpmMetricId_t.
inline constexpr unsigned kGpmSm = 2, kGpmTensor = 5, kGpmDram = 10;
/// nvmlGpmMetricsGet_t up to what is used of its list: the library reads as many as are counted.
struct GpmMetrics {
  unsigned version, count;
  GpmSample first, second;
  GpmMetric metrics[3];
};

/// What a versioned struct carries in its first field.
template <class T>
constexpr unsigned VersionOf(unsigned number) {
  return static_cast<unsigned>(sizeof(T)) | number << 24U;
}

static_assert(sizeof(PciInfo) == 68 && sizeof(PlainMemory) == 24 && sizeof(Memory) == 40 &&
              sizeof(Process) == 24 && sizeof(FieldValue) == 40 && sizeof(FabricInfo) == 28 &&
              sizeof(ProcessLoad) == 32 && sizeof(GpmMetric) == 40 &&
              offsetof(GpmMetrics, metrics) == 24);

}  // namespace gpuwhy::nvml
