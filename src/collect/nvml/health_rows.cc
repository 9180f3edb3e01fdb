#include "collect/nvml/health_rows.h"

#include <cstdint>

namespace gpuwhy::nvml {
namespace {

using F = GpuField;

// Beyond any board: what is larger was not measured.
constexpr std::uint64_t kMostCount = std::uint64_t{1} << 50U;

void ReadEcc(DeviceReader& reader) {
  reader.FirstFlag("nvmlDeviceGetEccMode", F::kEccMode);
  struct Counter {
    unsigned error, kind;
    GpuField field;
  };
  constexpr Counter kCounters[] = {{kErrorCorrected, kEccVolatile, F::kEccVolatileCorrected},
                                   {kErrorUncorrected, kEccVolatile, F::kEccVolatileUncorrected},
                                   {kErrorCorrected, kEccAggregate, F::kEccAggregateCorrected},
                                   {kErrorUncorrected, kEccAggregate, F::kEccAggregateUncorrected}};
  const char* call = "nvmlDeviceGetTotalEccErrors";
  for (const Counter& counter : kCounters) {
    unsigned long long count = 0;
    const Status status = reader.Call(call, counter.error, counter.kind, &count);
    reader.AddNumber(call, {counter.field, 1000, kMostCount}, status, count);
  }
}

void ReadRetired(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetRetiredPages";
  for (const unsigned cause : {kRetiredSingleBit, kRetiredDoubleBit}) {
    const GpuField field = cause == kRetiredSingleBit ? F::kRetiredSingle : F::kRetiredDouble;
    unsigned count = 0;
    unsigned long long* none = nullptr;
    Status status = reader.Call(call, cause, &count, none);
    // It says how many there are by refusing a list that is too short.
    if (status == Status::kInsufficientSize) status = Status::kSuccess;
    reader.AddNumber(call, {field, 1000, kMostCount}, status, count);
  }
  reader.Flag("nvmlDeviceGetRetiredPagesPendingStatus", F::kRetiredPending);
}

void ReadRemapped(DeviceReader& reader) {
  const char* call = "nvmlDeviceGetRemappedRows";
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  const Status status = reader.Call(call, &corrected, &uncorrected, &pending, &failed);
  reader.AddNumber(call, {F::kRemapCorrectable, 1000, kMostCount}, status, corrected);
  reader.AddNumber(call, {F::kRemapUncorrectable, 1000, kMostCount}, status, uncorrected);
  reader.AddFlag(call, F::kRemapPending, status, pending == 1);
  reader.AddFlag(call, F::kRemapFailed, status, failed == 1);
}

}  // namespace

void ReadMemoryHealth(DeviceReader& reader) {
  ReadEcc(reader);
  ReadRetired(reader);
  ReadRemapped(reader);
}

}  // namespace gpuwhy::nvml
