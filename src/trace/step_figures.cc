#include "trace/step_figures.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "trace/blame.h"
#include "trace/kernel_class.h"

namespace gpuwhy::trace {
namespace {

std::size_t At(StepFigure figure) { return static_cast<std::size_t>(figure); }

bool IsCall(HostKind kind) { return kind == HostKind::kRuntime || kind == HostKind::kDriver; }

bool IsOptimizerStep(HostKind kind, std::string_view name) {
  return kind == HostKind::kAnnotation && name.starts_with("Optimizer.step");
}

class Collection {
 public:
  Collection(const Timeline& timeline, const WorkSets& sets, const StepList& steps)
      : timeline_(timeline), sets_(sets) {
    for (const Step& step : steps.steps) {
      if (step.use == StepUse::kMeasured) windows_.push_back(step.anatomy.window);
    }
    figures_.rows.resize(windows_.size(), StepRow{});
  }

  [[nodiscard]] bool Empty() const { return windows_.empty(); }

  void AddGaps(const std::vector<Gap>& gaps) {
    std::unordered_map<std::uint32_t, std::int64_t> syncs;  // name -> bubble
    std::int64_t longest = 0;
    std::size_t step = 0;
    std::int64_t busy_since = sets_.span.start;
    for (const Gap& gap : gaps) {
      const std::int64_t busy = gap.span.start - std::exchange(busy_since, gap.span.end);
      const std::int64_t middle = gap.span.start + gap.span.Length() / 2;
      while (step < windows_.size() && windows_[step].end <= middle) ++step;
      if (step == windows_.size() || middle < windows_[step].start) continue;
      AddGap(gap, busy, figures_.rows[step], syncs);
      if (gap.stall_ns <= longest) continue;
      longest = gap.stall_ns;
      figures_.stall_event = StallName(gap);
    }
    const auto most =
        std::max_element(syncs.begin(), syncs.end(), [](const auto& a, const auto& b) {
          return std::tie(a.second, b.first) < std::tie(b.second, a.first);
        });
    if (most != syncs.end()) figures_.sync_call = timeline_.names.Text(most->first);
  }

  void AddKernels() {
    std::vector<std::vector<Span>> kinds(kKernelKinds);
    std::vector<Span> others;
    std::vector<signed char> kind_of(timeline_.names.size(), -1);
    const DeviceEvents& device = timeline_.device;
    for (std::size_t i = 0; i < device.size(); ++i) {
      const Span span{device.start[i], device.end[i]};
      if (device.work[i] == Work::kH2D && device.host_memory[i] == HostMemory::kPageable)
        kinds[kPageable].push_back(span);
      if (device.work[i] != Work::kCompute) continue;
      signed char& kind = kind_of[device.name[i]];
      if (kind < 0) kind = static_cast<signed char>(KindOf(timeline_.names.Text(device.name[i])));
      if (kind != kOrdinary) kinds[static_cast<std::size_t>(kind)].push_back(span);
      if (kind != kReformats) others.push_back(span);
    }
    const SpanSet& comm = sets_.by_work[static_cast<std::size_t>(Work::kComm)];
    const SpanSet& compute = sets_.by_work[static_cast<std::size_t>(Work::kCompute)];
    AddSet(StepFigure::kPageableH2D,
           Minus(Minus(Union(std::move(kinds[kPageable])), compute), comm));
    if (!kinds[kReformats].empty())
      AddSet(StepFigure::kReformat,
             Minus(Union(std::move(kinds[kReformats])), Union(std::move(others))));
    AddSet(StepFigure::kPlainFp32, Union(std::move(kinds[kPlainFp32])));
    AddSet(StepFigure::kPlainHalf, Union(std::move(kinds[kPlainHalf])));
  }

  void AddCollectives() {
    const DeviceEvents& device = timeline_.device;
    using Key = std::tuple<NameIndex, NameIndex, NameIndex, std::int64_t, std::uint32_t>;
    std::map<Key, std::vector<std::size_t>> alike;
    for (std::size_t i = 0; i < device.size(); ++i) {
      if (device.work[i] != Work::kComm || !InSteps(device.start[i])) continue;
      ++figures_.collectives;
      const KernelDetail& d = timeline_.kernel_details[device.detail[i]];
      if (d.in_elements < 0) continue;
      ++figures_.sized_collectives;
      alike[{d.collective, d.group, d.dtype, d.in_elements, device.lane[i]}].push_back(i);
    }
    // Who arrives early waits at the beginning: the transfer itself is the shortest of its kind.
    constexpr std::size_t kFewest = 3;
    std::vector<Span> waits;
    for (const auto& [key, events] : alike) {
      if (events.size() < kFewest) continue;
      std::int64_t shortest = INT64_MAX;
      for (const std::size_t i : events)
        shortest = std::min(shortest, device.end[i] - device.start[i]);
      for (const std::size_t i : events)
        waits.push_back({device.start[i], device.end[i] - shortest});
    }
    AddSet(StepFigure::kPeerWait,
           Minus(Union(std::move(waits)), sets_.by_work[static_cast<std::size_t>(Work::kCompute)]));
  }

  // Launches by correlation: what the optimizer launched, and launches that block.
  void AddLaunches() {
    const HostEvents& host = timeline_.host;
    const DeviceEvents& device = timeline_.device;
    std::map<std::uint32_t, std::vector<Span>> optimizer;  // by thread
    std::vector<Span> all;
    for (std::size_t i = 0; i < host.size(); ++i) {
      if (!IsOptimizerStep(host.kind[i], timeline_.names.Text(host.name[i]))) continue;
      optimizer[host.thread[i]].push_back({host.start[i], host.end[i]});
      all.push_back({host.start[i], host.end[i]});
    }
    for (auto& [thread, spans] : optimizer) spans = Union(std::move(spans));
    std::vector<std::pair<std::int64_t, std::uint32_t>> launches;
    for (std::uint32_t i = 0; i < host.size(); ++i) {
      if (IsCall(host.kind[i]) && host.correlation[i] >= 0 && InSteps(host.start[i]))
        launches.emplace_back(host.correlation[i], i);
    }
    std::sort(launches.begin(), launches.end());
    std::vector<Span> work;
    for (std::size_t i = 0; i < device.size(); ++i) {
      const auto it = std::lower_bound(launches.begin(), launches.end(),
                                       std::make_pair(device.correlation[i], std::uint32_t{0}));
      if (it == launches.end() || it->first != device.correlation[i]) continue;
      CountBlocking(it->second, i);
      const auto by_thread = optimizer.find(host.thread[it->second]);
      if (by_thread != optimizer.end() && HoldsInstant(by_thread->second, host.start[it->second]))
        work.push_back({device.start[i], device.end[i]});
    }
    const SpanSet idle = Minus(Union(std::move(all)), sets_.busy);
    AddSet(StepFigure::kOptimizer, Union(Union(std::move(work)), idle));
  }

  StepFigures Take() { return std::move(figures_); }

 private:
  // What a kernel is to precision and layout. The first kinds are indices into a vector of sets.
  enum KernelKind : unsigned char { kPageable, kReformats, kPlainFp32, kPlainHalf, kOrdinary };
  static constexpr std::size_t kKernelKinds = 4;

  static KernelKind KindOf(std::string_view name) {
    if (IsReformat(name)) return kReformats;
    switch (PlainProductOf(name)) {
      case PlainProduct::kFp32BesideTf32:
        return kPlainFp32;
      case PlainProduct::kHalf:
        return kPlainHalf;
      case PlainProduct::kNone:
        return kOrdinary;
    }
    return kOrdinary;
  }

  void AddGap(const Gap& gap, std::int64_t busy, StepRow& row,
              std::unordered_map<std::uint32_t, std::int64_t>& syncs) {
    ++figures_.gaps;
    const std::int64_t latency = std::min(gap.latency_ns, kLongestLatencyNs);
    const std::int64_t dispatch = gap.dispatch_ns + latency;
    row[At(StepFigure::kQueued)] += gap.latency_ns - latency;
    row[At(StepFigure::kStall)] += gap.stall_ns;
    if (gap.sync_event != UINT32_MAX) {
      const std::int64_t bubble = dispatch + gap.sync_ns;
      row[At(StepFigure::kSyncBubble)] += bubble;
      syncs[timeline_.host.name[gap.sync_event]] += bubble;
      return;
    }
    row[At(StepFigure::kDispatch)] += dispatch;
    // Half of the time since the gap before is the profiler's; the device's own part stays.
    row[At(StepFigure::kDispatchSure)] += std::max<std::int64_t>(0, (dispatch - busy) / 2);
  }

  void CountBlocking(std::uint32_t call, std::size_t work) {
    const DeviceEvents& device = timeline_.device;
    if (device.work[work] != Work::kCompute) return;
    if (device.end[work] - device.start[work] < kLongestLatencyNs) return;
    ++figures_.long_launches;
    if (timeline_.host.end[call] >= device.end[work]) ++figures_.blocking_launches;
  }

  [[nodiscard]] bool InSteps(std::int64_t at) const { return HoldsInstant(windows_, at); }

  [[nodiscard]] std::string StallName(const Gap& gap) const {
    if (gap.stall_event != UINT32_MAX)
      return std::string(timeline_.names.Text(timeline_.host.name[gap.stall_event]));
    if (gap.frame_thread == UINT32_MAX) return {};
    return FrameAt(timeline_, gap.frame_thread, gap.frame_at);
  }

  // Windows are sorted and apart, so one walk over both suffices.
  void AddSet(StepFigure figure, const SpanSet& set) {
    std::size_t from = 0;
    for (std::size_t step = 0; step < windows_.size(); ++step) {
      const Span window = windows_[step];
      while (from < set.size() && set[from].end <= window.start) ++from;
      for (std::size_t i = from; i < set.size() && set[i].start < window.end; ++i) {
        figures_.rows[step][At(figure)] +=
            std::min(set[i].end, window.end) - std::max(set[i].start, window.start);
      }
    }
  }

  const Timeline& timeline_;
  const WorkSets& sets_;
  std::vector<Span> windows_;
  StepFigures figures_;
};

}  // namespace

StepFigures StepFiguresOf(const Timeline& timeline, const WorkSets& sets,
                          const std::vector<Gap>& gaps, const StepList& steps) {
  Collection collection(timeline, sets, steps);
  if (collection.Empty()) return {};
  collection.AddGaps(gaps);
  collection.AddKernels();
  collection.AddCollectives();
  collection.AddLaunches();
  return collection.Take();
}

}  // namespace gpuwhy::trace
