#include "trace/kernels.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "trace/launching_op.h"

namespace gpuwhy::trace {
namespace {

struct Tally {
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0;
  Work work = Work::kCompute;
};

void CountRows(const Timeline& timeline, std::size_t most_rows, KernelFigures& figures) {
  const DeviceEvents& device = timeline.device;
  std::vector<Tally> by_name(timeline.names.size());
  std::int64_t all = 0;
  std::uint64_t kernels = 0;
  std::uint64_t tiny = 0;
  for (std::size_t i = 0; i < device.size(); ++i) {
    const std::int64_t duration = device.end[i] - device.start[i];
    Tally& tally = by_name[device.name[i]];
    ++tally.count;
    tally.sum_ns += duration;
    tally.work = device.work[i];
    all += duration;
    if (device.work[i] != Work::kCompute && device.work[i] != Work::kComm) continue;
    ++kernels;
    tiny += duration < kTinyKernelNs ? 1U : 0U;
  }
  if (kernels > 0) {
    figures.tiny_share = static_cast<double>(tiny) / static_cast<double>(kernels);
  }
  for (NameIndex name = 0; name < by_name.size(); ++name) {
    const Tally& tally = by_name[name];
    if (tally.count == 0) continue;
    const std::string_view text = timeline.names.Text(name);
    const KernelClass kernel_class = ClassOf(tally.work, text);
    const auto at = static_cast<std::size_t>(kernel_class);
    figures.class_ns[at] += tally.sum_ns;
    figures.class_count[at] += tally.count;
    const double share = all > 0 ? static_cast<double>(tally.sum_ns) / static_cast<double>(all) : 0;
    figures.rows.push_back({std::string(text), kernel_class, tally.count, tally.sum_ns, share, {}});
  }
  std::sort(figures.rows.begin(), figures.rows.end(), [](const KernelRow& a, const KernelRow& b) {
    return a.sum_ns != b.sum_ns ? a.sum_ns > b.sum_ns : a.name < b.name;
  });
  if (figures.rows.size() > most_rows) figures.rows.resize(most_rows);
}

struct ShapeTally {
  std::uint64_t count = 0;
  std::int64_t sum_ns = 0;
};

// Of the rows that are kept alone: a trace has thousands of shapes.
void AddShapes(const Timeline& timeline, KernelFigures& figures) {
  const DeviceEvents& device = timeline.device;
  const HostEvents& host = timeline.host;
  if (host.inputs.empty()) return;
  const std::vector<std::uint32_t> ops = LaunchingOps(timeline);
  std::unordered_map<std::string_view, std::size_t> row_of;
  for (std::size_t row = 0; row < figures.rows.size(); ++row) row_of[figures.rows[row].name] = row;
  constexpr std::size_t kNone = SIZE_MAX;
  std::vector<std::size_t> row_of_name(timeline.names.size(), kNone);
  for (NameIndex name = 0; name < row_of_name.size(); ++name) {
    const auto it = row_of.find(timeline.names.Text(name));
    if (it != row_of.end()) row_of_name[name] = it->second;
  }
  std::vector<std::map<std::pair<NameIndex, NameIndex>, ShapeTally>> tallies(figures.rows.size());
  for (std::size_t i = 0; i < device.size(); ++i) {
    const std::size_t row = row_of_name[device.name[i]];
    if (row == kNone || ops[i] == UINT32_MAX || host.inputs[ops[i]] == 0) continue;
    ShapeTally& tally = tallies[row][{host.name[ops[i]], host.inputs[ops[i]]}];
    ++tally.count;
    tally.sum_ns += device.end[i] - device.start[i];
  }
  for (std::size_t row = 0; row < tallies.size(); ++row) {
    std::vector<KernelShape>& shapes = figures.rows[row].shapes;
    for (const auto& [call, tally] : tallies[row]) {
      shapes.push_back({std::string(timeline.names.Text(call.first)),
                        std::string(timeline.names.Text(call.second)), tally.count, tally.sum_ns});
    }
    std::sort(shapes.begin(), shapes.end(), [](const KernelShape& a, const KernelShape& b) {
      return std::tie(b.sum_ns, a.op, a.inputs) < std::tie(a.sum_ns, b.op, b.inputs);
    });
    if (shapes.size() > kMostKernelShapes) shapes.resize(kMostKernelShapes);
  }
}

void MeasureLaunches(const Timeline& timeline, KernelFigures& figures) {
  const HostEvents& host = timeline.host;
  const DeviceEvents& device = timeline.device;
  std::vector<std::pair<std::int64_t, std::int64_t>> launches;  // correlation, start
  for (std::size_t i = 0; i < host.size(); ++i) {
    const bool call = host.kind[i] == HostKind::kRuntime || host.kind[i] == HostKind::kDriver;
    if (call && host.correlation[i] >= 0) launches.emplace_back(host.correlation[i], host.start[i]);
  }
  std::sort(launches.begin(), launches.end());
  std::vector<std::int64_t> latencies;
  double waited = 0;
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  for (std::size_t i = 0; i < device.size(); ++i) {
    first = std::min(first, device.start[i]);
    last = std::max(last, device.end[i]);
    if (device.correlation[i] < 0) continue;
    const auto it = std::lower_bound(launches.begin(), launches.end(),
                                     std::make_pair(device.correlation[i], INT64_MIN));
    if (it == launches.end() || it->first != device.correlation[i]) continue;
    const std::int64_t latency = device.start[i] - it->second;
    if (latency < 0) continue;
    latencies.push_back(latency);
    waited += static_cast<double>(latency);
  }
  if (latencies.empty()) return;
  const auto at = [&](double share) {
    const auto place =
        static_cast<std::ptrdiff_t>(share * static_cast<double>(latencies.size() - 1));
    std::nth_element(latencies.begin(), latencies.begin() + place, latencies.end());
    return latencies[static_cast<std::size_t>(place)];
  };
  figures.launch_p50_ns = at(0.50);
  figures.launch_p99_ns = at(0.99);
  // Little's law: the mean number of those that wait is the time they wait, over the span.
  if (last > first) figures.queue_depth = waited / static_cast<double>(last - first);
}

void MeasureGrids(const Timeline& timeline, KernelFigures& figures) {
  const DeviceEvents& device = timeline.device;
  double known = 0;
  double small = 0;
  for (std::size_t i = 0; i < device.size(); ++i) {
    const std::uint32_t blocks = timeline.kernel_details[device.detail[i]].blocks;
    if (blocks == 0 || device.work[i] != Work::kCompute) continue;
    const std::int64_t id = timeline.lanes[device.lane[i]].device;
    const auto info = std::find_if(timeline.devices.begin(), timeline.devices.end(),
                                   [&](const DeviceInfo& d) { return d.id == id; });
    if (info == timeline.devices.end() || info->sm_count == 0) continue;
    const auto duration = static_cast<double>(device.end[i] - device.start[i]);
    known += duration;
    if (blocks < info->sm_count) small += duration;
  }
  if (known > 0) figures.small_grid_share = small / known;
}

CopyFigures* CopyOf(KernelFigures& figures, Work work, HostMemory memory) {
  if (work != Work::kH2D && work != Work::kD2H) return nullptr;
  const bool in = work == Work::kH2D;
  switch (memory) {
    case HostMemory::kPageable:
      return in ? &figures.pageable_h2d : &figures.pageable_d2h;
    case HostMemory::kPinned:
      return in ? &figures.pinned_h2d : &figures.pinned_d2h;
    case HostMemory::kUnknown:
      return in ? &figures.other_h2d : &figures.other_d2h;
  }
  return nullptr;
}

}  // namespace

KernelClass ClassOf(Work work, std::string_view name) {
  if (work == Work::kCompute) return ClassifyKernel(name);
  return work == Work::kComm ? KernelClass::kCollective : KernelClass::kMemory;
}

Reading<double> CopyFigures::BytesPerSecond() const {
  if (bytes == 0 || sum_ns <= 0) return Missing{Why::kNotPresent, {}};
  return static_cast<double>(bytes) / static_cast<double>(sum_ns) * 1e9;
}

KernelFigures KernelsOf(const Timeline& timeline, std::size_t most_rows) {
  KernelFigures figures;
  CountRows(timeline, most_rows, figures);
  AddShapes(timeline, figures);
  MeasureLaunches(timeline, figures);
  MeasureGrids(timeline, figures);
  const DeviceEvents& device = timeline.device;
  for (std::size_t i = 0; i < device.size(); ++i) {
    CopyFigures* copy = CopyOf(figures, device.work[i], device.host_memory[i]);
    if (copy == nullptr) continue;
    ++copy->count;
    copy->bytes += device.bytes[i];
    copy->sum_ns += device.end[i] - device.start[i];
  }
  return figures;
}

}  // namespace gpuwhy::trace
