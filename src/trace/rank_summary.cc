#include "trace/rank_summary.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace gpuwhy::trace {
namespace {

// Bytes an element of Kineto's dtype takes; 0 for what is not known.
std::int64_t ElementSize(std::string_view dtype) {
  struct Size {
    std::string_view name;
    std::int64_t bytes;
  };
  constexpr std::array<Size, 12> kSizes = {{{"Float", 4},
                                            {"Half", 2},
                                            {"BFloat16", 2},
                                            {"Double", 8},
                                            {"Int", 4},
                                            {"Long", 8},
                                            {"Byte", 1},
                                            {"Char", 1},
                                            {"Bool", 1},
                                            {"Short", 2},
                                            {"Float8_e4m3fn", 1},
                                            {"Float8_e5m2", 1}}};
  const auto* it =
      std::find_if(kSizes.begin(), kSizes.end(), [&](const Size& s) { return s.name == dtype; });
  return it == kSizes.end() ? 0 : it->bytes;
}

// What lies before the first measured step is start-up. After the last one may come what was
// launched in it, unless the profile goes on.
Span Measured(const StepList& steps) {
  Span window = MeasuredWindow(steps);
  if (!steps.steps.empty() && steps.steps.back().use == StepUse::kMeasured) window.end = INT64_MAX;
  return window;
}

void AddSteps(const StepList& steps, RankSummary& summary) {
  Parts parts{};
  std::int64_t length = 0;
  for (const Step& step : steps.steps) {
    if (step.use != StepUse::kMeasured) continue;
    for (std::size_t i = 0; i < kParts; ++i) parts[i] += step.anatomy.parts[i];
    length += step.anatomy.window.Length();
  }
  if (length <= 0) return;
  summary.parts = parts;
  summary.span_ns = length;
}

}  // namespace

RankSummary Summarize(const Timeline& timeline, const Parts& whole, const StepList& steps,
                      std::int64_t rank) {
  RankSummary summary;
  summary.file = timeline.file;
  summary.rank = timeline.rank >= 0 ? timeline.rank : rank;
  summary.base_known = timeline.base_known;
  summary.base_ns = timeline.base_ns;
  summary.parts = whole;
  const DeviceEvents& device = timeline.device;
  const Span window = Measured(steps);
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  for (std::size_t i = 0; i < device.size(); ++i) {
    first = std::min(first, device.start[i]);
    last = std::max(last, device.end[i]);
    const bool measured = device.start[i] >= window.start && device.start[i] < window.end;
    if (device.work[i] == Work::kCompute && measured) {
      summary.compute_sum_ns += device.end[i] - device.start[i];
      ++summary.compute_kernels;
    }
    if (device.work[i] != Work::kComm) continue;
    const KernelDetail& detail = timeline.kernel_details[device.detail[i]];
    CollectiveCall call;
    call.group = std::string(timeline.names.Text(detail.group));
    call.kind = std::string(
        timeline.names.Text(detail.collective != 0 ? detail.collective : device.name[i]));
    call.start = device.start[i];
    call.end = device.end[i];
    call.measured = measured;
    if (detail.in_elements > 0)
      call.bytes = detail.in_elements * ElementSize(timeline.names.Text(detail.dtype));
    summary.collectives.push_back(std::move(call));
  }
  if (first <= last) summary.span_ns = last - first;
  AddSteps(steps, summary);
  std::stable_sort(
      summary.collectives.begin(), summary.collectives.end(),
      [](const CollectiveCall& a, const CollectiveCall& b) { return a.start < b.start; });
  return summary;
}

}  // namespace gpuwhy::trace
