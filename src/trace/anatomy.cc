#include "trace/anatomy.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "trace/blame.h"
#include "trace/host_activity.h"

namespace gpuwhy::trace {
namespace {

std::size_t Index(Part part) { return static_cast<std::size_t>(part); }

Part PartOf(Doing doing) {
  switch (doing) {
    case Doing::kNone:
      return Part::kUnexplained;
    case Doing::kHost:
      return Part::kHost;
    case Doing::kInputWait:
      return Part::kInputWait;
    case Doing::kLaunch:
      return Part::kLaunch;
    case Doing::kSync:
      return Part::kSync;
    case Doing::kAlloc:
      return Part::kAlloc;
    case Doing::kCompile:
      return Part::kCompile;
    case Doing::kOtherPhase:
      return Part::kOtherPhase;
  }
  return Part::kUnexplained;
}

// Device work in the order in which it owns an instant.
constexpr std::array<std::pair<Work, Part>, kWorkKinds> kPriority = {{
    {Work::kCompute, Part::kCompute},
    {Work::kComm, Part::kComm},
    {Work::kH2D, Part::kH2D},
    {Work::kD2H, Part::kD2H},
    {Work::kD2D, Part::kD2D},
    {Work::kP2P, Part::kD2D},
    {Work::kMemcpyOther, Part::kD2D},
    {Work::kMemset, Part::kMemset},
}};

}  // namespace

std::string_view PartName(Part part) {
  constexpr std::array<std::string_view, kParts> kNames = {
      "compute", "comm",   "h2d",  "d2h",   "d2d",     "memset",      "input_wait",
      "host",    "launch", "sync", "alloc", "compile", "other_phase", "unexplained"};
  return kNames.at(Index(part));
}

class Anatomist::Impl {
 public:
  explicit Impl(const Timeline& timeline)
      : timeline_(timeline),
        activities_(ActivitiesByThread(timeline)),
        framed_(FramesByThread(timeline)) {
    IndexLaunches();
    OrderDeviceEvents();
  }

  Parts Split(const WorkSets& sets, Span window, const std::int64_t* device,
              std::vector<Gap>* gaps) const {
    Parts parts{};
    SpanSet taken;
    for (const auto& [work, part] : kPriority) {
      const SpanSet here = Clip(sets.by_work[static_cast<std::size_t>(work)], window);
      const SpanSet fresh = Minus(here, taken);
      parts[Index(part)] += Length(fresh);
      taken = Union(taken, fresh);
    }
    for (const Span& idle : Minus({window}, taken)) Explain(idle, device, parts, gaps);
    return parts;
  }

 private:
  static constexpr std::uint32_t kNothing = UINT32_MAX;

  // How an idle stretch is filled: time by part, and the host event behind the longest piece of
  // each.
  struct Fill {
    Fill() { events.fill(kNothing); }
    void Add(std::size_t part, std::int64_t length, std::uint32_t event) {
      parts[part] += length;
      if (length <= longest[part] || event == kNothing) return;
      longest[part] = length;
      events[part] = event;
    }
    void Stall(std::int64_t length, std::uint32_t event) {
      stall_ns += length;
      if (length <= longest_stall) return;
      longest_stall = length;
      stall_event = event;
    }
    void Frame(std::int64_t length, std::uint32_t thread, std::int64_t at) {
      if (length <= longest_frame) return;
      longest_frame = length;
      frame_thread = thread;
      frame_at = at;
    }
    Parts parts{}, longest{};
    std::array<std::uint32_t, kParts> events{};
    std::int64_t dispatch_ns = 0, stall_ns = 0, longest_stall = 0;
    std::uint32_t sync_event = kNothing, stall_event = kNothing;
    std::int64_t longest_frame = 0, frame_at = 0;
    std::uint32_t frame_thread = kNothing;
  };

  void IndexLaunches() {
    const HostEvents& host = timeline_.host;
    std::vector<std::uint64_t> launches(timeline_.threads.size());
    for (std::uint32_t i = 0; i < host.size(); ++i) {
      if (host.correlation[i] < 0) continue;
      if (host.kind[i] != HostKind::kRuntime && host.kind[i] != HostKind::kDriver) continue;
      calls_.emplace_back(host.correlation[i], i);
      ++launches[host.thread[i]];
    }
    std::sort(calls_.begin(), calls_.end());
    const auto most = std::max_element(launches.begin(), launches.end());
    if (most != launches.end() && *most > 0)
      feeder_ = static_cast<std::uint32_t>(most - launches.begin());
  }

  void OrderDeviceEvents() {
    order_.resize(timeline_.device.size());
    for (std::uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
    const std::vector<std::int64_t>& start = timeline_.device.start;
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return start[a] != start[b] ? start[a] < start[b] : a < b;
    });
  }

  [[nodiscard]] std::uint32_t LaunchOf(std::uint32_t event) const {
    const std::int64_t correlation = timeline_.device.correlation[event];
    if (correlation < 0) return kNothing;
    const auto it = std::lower_bound(calls_.begin(), calls_.end(),
                                     std::make_pair(correlation, std::uint32_t{0}));
    return it != calls_.end() && it->first == correlation ? it->second : kNothing;
  }

  // The device event that ended an idle stretch: the first that starts at or after its end.
  std::uint32_t NextEvent(std::int64_t at, const std::int64_t* device) const {
    const DeviceEvents& events = timeline_.device;
    auto it =
        std::lower_bound(order_.begin(), order_.end(), at,
                         [&](std::uint32_t e, std::int64_t t) { return events.start[e] < t; });
    while (it != order_.end() && device != nullptr &&
           timeline_.lanes[events.lane[*it]].device != *device)
      ++it;
    return it == order_.end() ? kNothing : *it;
  }

  void Explain(Span idle, const std::int64_t* device, Parts& parts, std::vector<Gap>* gaps) const {
    const std::uint32_t next = NextEvent(idle.end, device);
    const std::uint32_t launch = next == kNothing ? kNothing : LaunchOf(next);
    const std::uint32_t thread = launch == kNothing ? feeder_ : timeline_.host.thread[launch];
    Fill fill;
    Parts& here = fill.parts;
    std::int64_t latency = 0;
    if (thread == kNothing) {
      here[Index(Part::kUnexplained)] = idle.Length();
    } else {
      // From the moment of the launch on, the device side (driver, queue, dependency) is what is
      // waited for.
      const std::int64_t launched = launch == kNothing ? idle.end : timeline_.host.start[launch];
      const std::int64_t split = std::clamp(launched, idle.start, idle.end);
      latency = idle.end - split;
      here[Index(Part::kLaunch)] += latency;
      SplitByHost({idle.start, split}, thread, fill);
    }
    for (std::size_t i = 0; i < kParts; ++i) parts[i] += here[i];
    if (gaps != nullptr) {
      const auto largest =
          static_cast<std::size_t>(std::max_element(here.begin(), here.end()) - here.begin());
      Gap gap{idle, static_cast<Part>(largest), next, fill.events[largest], fill.sync_event};
      gap.dispatch_ns = fill.dispatch_ns;
      gap.latency_ns = latency;
      gap.sync_ns = here[Index(Part::kSync)];
      gap.stall_ns = fill.stall_ns;
      gap.stall_event = fill.stall_event;
      gap.frame_thread = fill.frame_thread;
      gap.frame_at = fill.frame_at;
      gaps->push_back(gap);
    }
  }

  // Does the host wait in this activity for the device? A copy to pageable memory returns when it
  // is done, whatever it is called.
  [[nodiscard]] bool Waits(const Activity& activity) const {
    if (activity.doing == Doing::kSync) return true;
    return activity.doing == Doing::kLaunch &&
           timeline_.names.Text(timeline_.host.name[activity.event]).find("Memcpy") !=
               std::string_view::npos;
  }

  // From the end of the activity before `next` to its start: all of the time of which `quiet` is a
  // part and in which nothing was recorded.
  static Span Between(const std::vector<Activity>& activities,
                      std::vector<Activity>::const_iterator next, Span idle, Span quiet) {
    const std::int64_t before = next == activities.begin() ? idle.start : std::prev(next)->end;
    const std::int64_t after = next == activities.end() ? idle.end : next->start;
    return {std::min(before, quiet.start), std::max(after, quiet.end)};
  }

  // Gives each piece of idle to what `thread` did; where it did nothing recorded, to what the
  // feeder did.
  void SplitByHost(Span idle, std::uint32_t thread, Fill& fill) const {
    std::int64_t at = idle.start;
    // whole: the activity that the piece is cut from.
    const auto take = [&](std::int64_t until, Doing doing, std::uint32_t event, Span whole) {
      if (until <= at) return;
      fill.Add(Index(PartOf(doing)), until - at, event);
      if (doing == Doing::kHost || doing == Doing::kLaunch) {
        if (whole.Length() <= kLongestDispatchNs) {
          fill.dispatch_ns += until - at;
        } else {
          fill.Stall(until - at, event);
        }
      }
      at = until;
    };
    const std::vector<Activity>& activities = activities_[thread];
    auto it = std::lower_bound(activities.begin(), activities.end(), idle.start,
                               [](const Activity& a, std::int64_t t) { return a.end <= t; });
    const auto quiet = [&](std::int64_t until) {
      if (until <= at) return;
      if (thread != feeder_ && feeder_ != kNothing) {
        SplitByHost({at, until}, feeder_, fill);
        at = until;
        return;
      }
      const Span whole = Between(activities, it, idle, {at, until});
      const std::int64_t middle = at + (until - at) / 2;
      const bool framed = HoldsInstant(framed_[thread], middle);
      if (framed) fill.Frame(until - at, thread, middle);
      // Python between two recorded events; else it may compute, sleep or wait for a disk.
      const bool known = framed || whole.Length() <= kLongestDispatchNs;
      take(until, known ? Doing::kHost : Doing::kNone, kNothing, whole);
    };
    if (it != activities.end() && it->start < idle.start && Waits(*it)) fill.sync_event = it->event;
    for (; it != activities.end() && it->start < idle.end; ++it) {
      quiet(std::min(it->start, idle.end));
      take(std::min(it->end, idle.end), it->doing, it->event, {it->start, it->end});
    }
    quiet(idle.end);
  }

  const Timeline& timeline_;
  std::vector<std::vector<Activity>> activities_;
  std::vector<SpanSet> framed_;  // by thread: where stacks were recorded
  std::vector<std::pair<std::int64_t, std::uint32_t>> calls_;  // correlation -> host event, sorted
  std::vector<std::uint32_t> order_;                           // device events by start
  std::uint32_t feeder_ = kNothing;                            // the thread that launches most
};

Anatomist::Anatomist(const Timeline& timeline) : impl_(std::make_unique<Impl>(timeline)) {}
Anatomist::~Anatomist() = default;

Parts Anatomist::Split(const WorkSets& sets, Span window, const std::int64_t* device,
                       std::vector<Gap>* gaps) const {
  return impl_->Split(sets, window, device, gaps);
}

std::vector<StepAnatomy> StepsOf(const Timeline& timeline) {
  std::vector<StepAnatomy> steps;
  for (const StepMark& mark : timeline.steps) {
    steps.push_back(
        {std::string(timeline.names.Text(mark.name)), "marker", {mark.start, mark.end}, {}});
  }
  std::sort(steps.begin(), steps.end(),
            [](const StepAnatomy& a, const StepAnatomy& b) { return a.window < b.window; });
  // Steps follow each other, but for the rounding of stamps. What lies within another would be
  // counted in both, and thousands of them inside each other would each be split anew.
  std::vector<StepAnatomy> apart;
  for (StepAnatomy& step : steps) {
    const bool within = !apart.empty() && apart.back().window.end - step.window.start >
                                              (step.window.end - step.window.start) / 2;
    if (!within) apart.push_back(std::move(step));
  }
  return apart;
}

}  // namespace gpuwhy::trace
