#include "trace/analysis.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "trace/blame.h"
#include "trace/quality.h"

namespace gpuwhy::trace {
namespace {

constexpr std::size_t kMostGaps = 20;
constexpr std::size_t kMostKernels = 20;
constexpr std::int64_t kSlots = 60;
// Each is one more walk over all events. A host has 16, or 56 where each is split in parts.
constexpr std::size_t kMostDevices = 64;

std::string DeviceName(const Timeline& timeline, std::int64_t device) {
  for (const DeviceInfo& info : timeline.devices) {
    if (info.id == device) return info.name;
  }
  return {};
}

// Of the thread that did most of it, in the middle of what it did.
std::string FrameBehind(const Timeline& timeline, const Gap& gap) {
  if (timeline.frames.size() == 0) return {};
  if (gap.host_event == UINT32_MAX) {
    const bool told = gap.cause == Part::kHost && gap.frame_thread != UINT32_MAX;
    return told ? FrameAt(timeline, gap.frame_thread, gap.frame_at) : std::string();
  }
  const HostEvents& host = timeline.host;
  const std::int64_t from = std::max(gap.span.start, host.start[gap.host_event]);
  const std::int64_t to = std::min(gap.span.end, host.end[gap.host_event]);
  return FrameAt(timeline, host.thread[gap.host_event],
                 from + std::max<std::int64_t>(0, to - from) / 2);
}

std::vector<GapReport> Largest(const Timeline& timeline, std::vector<Gap> gaps) {
  const std::size_t most = std::min(kMostGaps, gaps.size());
  std::partial_sort(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(most), gaps.end(),
                    [](const Gap& a, const Gap& b) {
                      return a.span.Length() != b.span.Length() ? a.span.Length() > b.span.Length()
                                                                : a.span < b.span;
                    });
  gaps.resize(most);
  std::vector<GapReport> reports;
  for (const Gap& gap : gaps) {
    GapReport report{
        gap.span.start, gap.span.Length(), gap.cause, {}, {}, FrameBehind(timeline, gap)};
    if (gap.host_event != UINT32_MAX)
      report.host = std::string(timeline.names.Text(timeline.host.name[gap.host_event]));
    if (gap.ended_by != UINT32_MAX)
      report.ended_by = std::string(timeline.names.Text(timeline.device.name[gap.ended_by]));
    reports.push_back(std::move(report));
  }
  return reports;
}

Strip StripOf(const Anatomist& anatomist, const WorkSets& sets, const std::string& name,
              Span window) {
  Strip strip{name, {}};
  if (window.Length() < kSlots) return strip;
  for (std::int64_t i = 0; i < kSlots; ++i) {
    // Not length * i / kSlots: that overflows for long windows.
    const std::int64_t slot = window.Length() / kSlots;
    const Span part{window.start + slot * i,
                    i + 1 == kSlots ? window.end : window.start + slot * (i + 1)};
    const Parts parts = anatomist.Split(sets, part, nullptr, nullptr);
    const auto most = std::max_element(parts.begin(), parts.end()) - parts.begin();
    strip.slots.push_back(static_cast<Part>(most));
  }
  return strip;
}

void DescribeSteps(const Timeline& timeline, const Anatomist& anatomist, const WorkSets& sets,
                   FileReport& report) {
  report.steps = FindSteps(timeline);
  for (Step& step : report.steps.steps)
    step.anatomy.parts = anatomist.Split(sets, step.anatomy.window, nullptr, nullptr);
  const auto add = [&](std::size_t index) {
    const StepAnatomy& step = report.steps.steps[index].anatomy;
    report.strips.push_back(StripOf(anatomist, sets, step.name, step.window));
  };
  if (report.steps.typical) add(*report.steps.typical);
  if (report.steps.worst && report.steps.worst != report.steps.typical) add(*report.steps.worst);
  if (report.strips.empty()) report.strips.push_back(StripOf(anatomist, sets, "", sets.span));
}

// Markers stand on the host, periods on the device.
Excerpt Measured(const StepList& steps) {
  Excerpt excerpt;
  (steps.source == "period" ? excerpt.run : excerpt.launched) = MeasuredWindow(steps);
  return excerpt;
}

}  // namespace

Analysis Analyze(Timeline timeline, std::int64_t rank, const Keep& keep) {
  CheckQuality(timeline);
  FileReport report;
  report.file = timeline.file;
  report.format = timeline.format;
  report.rank = timeline.rank;
  report.world_size = timeline.world_size;
  report.resolution_ns = timeline.resolution_ns;
  report.events = timeline.events;
  report.gpu_events = timeline.device.size();
  const WorkSets sets = SetsOf(timeline, nullptr);
  const Anatomist anatomist(timeline);
  std::vector<Gap> gaps;
  report.span = sets.span;
  report.whole.device = -1;
  report.whole.figures = FiguresOf(timeline, sets, nullptr);
  report.whole.parts = anatomist.Split(sets, sets.span, nullptr, &gaps);
  std::vector<std::int64_t> devices = DevicesOf(timeline);
  if (devices.size() > kMostDevices) {
    timeline.problems.push_back(
        Format(_("its work names {} devices, more than a host has: {} of them are told apart"),
               devices.size(), kMostDevices));
    devices.resize(kMostDevices);
  }
  for (const std::int64_t device : devices) {
    DeviceReport one{device, DeviceName(timeline, device), report.whole.figures,
                     report.whole.parts};
    if (devices.size() > 1) {
      const WorkSets own = SetsOf(timeline, &device);
      one.figures = FiguresOf(timeline, own, &device);
      one.parts = anatomist.Split(own, own.span, &device, nullptr);
    }
    report.devices.push_back(std::move(one));
  }
  DescribeSteps(timeline, anatomist, sets, report);
  if (report.steps.source == "marker" && report.steps.steps.size() < timeline.steps.size()) {
    timeline.problems.push_back(
        Format(_("{} of {} marked steps lie within others and were left out"),
               timeline.steps.size() - report.steps.steps.size(), timeline.steps.size()));
  }
  report.kernels = KernelsOf(timeline, kMostKernels);
  if (keep.step_kernels) report.step_kernels = KernelsByStep(timeline, report.steps);
  report.step_figures = StepFiguresOf(timeline, sets, gaps, report.steps);
  report.gaps = Largest(timeline, std::move(gaps));
  report.what_if = PlayAgain(timeline, Measured(report.steps));
  RankSummary summary = Summarize(timeline, report.whole.parts, report.steps, rank);
  report.lost = std::move(timeline.lost);
  report.problems = std::move(timeline.problems);
  return {std::move(report), std::move(summary)};
}

}  // namespace gpuwhy::trace
