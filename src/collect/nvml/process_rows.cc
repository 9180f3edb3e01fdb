#include "collect/nvml/process_rows.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "collect/nvml/nvml_status.h"

namespace gpuwhy::nvml {
namespace {

using F = GpuField;

constexpr std::uint64_t kMostPercent = 100;

/// Load of each process, from the driver's buffer of the last seconds.
struct Loads {
  Status status = Status::kNotSupported;
  std::map<unsigned, std::pair<std::uint64_t, std::uint64_t>> sums;  ///< by pid: percent, samples

  [[nodiscard]] Reading<std::uint32_t> Of(unsigned pid) const {
    const char* call = "nvmlDeviceGetProcessUtilization";
    if (status != Status::kSuccess) return ToMissing(status, call);
    const auto found = sums.find(pid);
    // The buffer has whoever computed: the others did not.
    if (found == sums.end()) return std::uint32_t{0};
    return static_cast<std::uint32_t>(found->second.first / found->second.second);
  }
};

Loads ReadLoads(DeviceReader& reader) {
  constexpr unsigned kMost = 1024;
  std::vector<ProcessLoad> samples(kMost);
  unsigned count = kMost;
  Loads loads;
  loads.status = reader.Call("nvmlDeviceGetProcessUtilization", samples.data(), &count, 0ULL);
  for (unsigned i = 0; loads.status == Status::kSuccess && i < std::min(count, kMost); ++i) {
    // Slots that were never written, and what no share can be.
    if (samples[i].timestamp == 0 || samples[i].sm > kMostPercent) continue;
    auto& [sum, n] = loads.sums[samples[i].pid];
    sum += samples[i].sm;
    ++n;
  }
  return loads;
}

void ReadProcesses(DeviceReader& reader, const char* call, bool graphics) {
  constexpr std::size_t kMost = 512;
  // More than its memory: "not available".
  constexpr unsigned long long kMostBytes = 1ULL << 60U;
  std::vector<Process> listed(kMost);
  unsigned count = kMost;
  const Status status = reader.Call(call, &count, listed.data());
  const std::size_t n = std::min<std::size_t>(count, kMost);
  // One process has the device for itself: nobody asks for its share.
  const Loads loads = status == Status::kSuccess && n > 1 ? ReadLoads(reader) : Loads{};
  for (std::size_t i = 0; i < n && status == Status::kSuccess; ++i) {
    ProcessReading process;
    process.pid = static_cast<std::int32_t>(listed[i].pid);
    process.graphics = graphics;
    process.memory_kib = Missing{Why::kNotSupported, call};
    if (listed[i].used_memory < kMostBytes) {
      process.memory_kib = std::uint64_t{listed[i].used_memory >> 10U};
    }
    process.sm_percent = loads.Of(listed[i].pid);
    reader.AddProcess(std::move(process));
  }
  // That the list is empty is worth knowing too: the number of processes goes with it.
  if (!graphics) {
    reader.AddNumber(call, {F::kProcesses, 1000, kMost}, status, n);
  }
}

}  // namespace

void ReadProcessLists(DeviceReader& reader) {
  ReadProcesses(reader, "nvmlDeviceGetComputeRunningProcesses_v3", false);
  ReadProcesses(reader, "nvmlDeviceGetGraphicsRunningProcesses_v3", true);
}

}  // namespace gpuwhy::nvml
