#include "collect/nvml/gpm.h"

#include <array>
#include <cstdint>
#include <utility>

namespace gpuwhy::nvml {
namespace {

using F = GpuField;

struct Row {
  unsigned metric;
  GpuField field;
};
constexpr Row kRows[] = {
    {kGpmSm, F::kSmActive}, {kGpmTensor, F::kTensorActive}, {kGpmDram, F::kDramActive}};
constexpr const char* kGet = "nvmlGpmMetricsGet";

bool IsCut(DeviceReader& reader) {
  unsigned now = 0;
  unsigned pending = 0;
  return reader.Call("nvmlDeviceGetMigMode", &now, &pending) == Status::kSuccess && now == 1;
}

void Prepare(DeviceReader& reader, GpmBuffers& buffers) {
  buffers.asked = true;
  if (IsCut(reader)) return;
  GpmSupport support{1, 0};
  const Status status = reader.Call("nvmlGpmQueryDeviceSupport", &support);
  if (status != Status::kSuccess) buffers.refused = status;
  if (status != Status::kSuccess || support.supported != 1) return;
  buffers.supported = reader.CallBare("nvmlGpmSampleAlloc", &buffers.older) == Status::kSuccess &&
                      reader.CallBare("nvmlGpmSampleAlloc", &buffers.newer) == Status::kSuccess;
}

/// A share of a hundred in thousandths of a percent; beyond `most`: no measurement.
std::uint64_t Thousandths(double percent) {
  constexpr double kMost = 1e6;
  if (!(percent >= 0) || percent > kMost) return UINT64_MAX;  // also NaN
  return static_cast<std::uint64_t>(percent * 1000);
}

void Give(DeviceReader& reader, Status all, const GpmMetrics& metrics) {
  // Rounding of the two looks may give a little more than a hundred.
  constexpr std::uint64_t kMost = 101'000;
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    Status status = all == Status::kSuccess ? metrics.metrics[i].status : all;
    const std::uint64_t value = Thousandths(metrics.metrics[i].value);
    // No share at all is what a counter gives that does not count here, not a broken sensor.
    if (status == Status::kSuccess && value > kMost) status = Status::kNotSupported;
    reader.AddNumber(kGet, {kRows[i].field, 1, kMost}, status, value);
  }
}

}  // namespace

void ReadGpm(DeviceReader& reader, bool settled, GpmBuffers& buffers) {
  if (!buffers.asked) Prepare(reader, buffers);
  if (!buffers.supported) {
    if (settled) Give(reader, buffers.refused, {});
    return;
  }
  if (reader.Call("nvmlGpmSampleGet", buffers.newer) != Status::kSuccess) return;
  if (buffers.has_older) {
    GpmMetrics metrics{1, std::size(kRows), buffers.older, buffers.newer, {}};
    for (std::size_t i = 0; i < std::size(kRows); ++i) metrics.metrics[i].metric = kRows[i].metric;
    Give(reader, reader.CallBare(kGet, &metrics), metrics);
  }
  buffers.has_older = true;
  std::swap(buffers.older, buffers.newer);
}

void FreeGpm(DeviceReader& reader, GpmBuffers& buffers) {
  for (GpmSample sample : {buffers.older, buffers.newer}) {
    if (sample != nullptr) static_cast<void>(reader.CallBare("nvmlGpmSampleFree", sample));
  }
  buffers = {};
}

}  // namespace gpuwhy::nvml
