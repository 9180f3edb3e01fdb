#include "trace/step_kernels.h"

#include <algorithm>

#include "trace/kernels.h"

namespace gpuwhy::trace {
namespace {

std::vector<Span> MeasuredSteps(const StepList& list) {
  std::vector<Span> windows;
  for (const Step& step : list.steps) {
    if (step.use == StepUse::kMeasured) windows.push_back(step.anatomy.window);
  }
  if (windows.empty()) windows.push_back(kAllTime);
  return windows;
}

}  // namespace

std::vector<StepKernel> KernelsByStep(const Timeline& timeline, const StepList& steps) {
  const std::vector<Span> windows = MeasuredSteps(steps);
  const DeviceEvents& device = timeline.device;
  std::vector<std::size_t> row_of(timeline.names.size(), SIZE_MAX);
  std::vector<StepKernel> rows;
  for (std::size_t i = 0; i < device.size(); ++i) {
    const auto after =
        std::upper_bound(windows.begin(), windows.end(), device.start[i],
                         [](std::int64_t at, const Span& window) { return at < window.start; });
    if (after == windows.begin() || device.start[i] >= std::prev(after)->end) continue;
    const auto step = static_cast<std::size_t>(std::prev(after) - windows.begin());
    std::size_t& row = row_of[device.name[i]];
    if (row == SIZE_MAX) {
      row = rows.size();
      const std::string_view name = timeline.names.Text(device.name[i]);
      rows.push_back({std::string(name), ClassOf(device.work[i], name),
                      std::vector<std::int64_t>(windows.size()),
                      std::vector<std::int64_t>(windows.size())});
    }
    rows[row].ns[step] += device.end[i] - device.start[i];
    ++rows[row].count[step];
  }
  std::sort(rows.begin(), rows.end(),
            [](const StepKernel& a, const StepKernel& b) { return a.name < b.name; });
  return rows;
}

}  // namespace gpuwhy::trace
