#include "trace/host_activity.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace gpuwhy::trace {
namespace {

template <std::size_t N>
bool HasAny(std::string_view text, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return Holds(text, part); });
}

// Loader iterators of PyTorch (1.8 to 2.x), torchdata, TensorFlow and JAX input pipelines.
constexpr std::array<std::string_view, 5> kInput = {"enumerate(DataLoader)", "enumerate(DataPipe)",
                                                    "IteratorGetNext", "DataLoaderIter",
                                                    "StatefulDataLoader"};
constexpr std::array<std::string_view, 6> kLaunch = {"LaunchKernel", "LaunchCooperative",
                                                     "GraphLaunch",  "MemcpyAsync",
                                                     "MemsetAsync",  "LaunchHostFunc"};
constexpr std::array<std::string_view, 3> kSync = {"Synchronize", "EventQuery", "StreamWaitValue"};
constexpr std::array<std::string_view, 7> kAlloc = {
    "Malloc", "cudaFree", "cuMemFree", "hipFree", "HostAlloc", "HostRegister", "cuMemAlloc"};
constexpr std::array<std::string_view, 8> kCompile = {"ModuleLoad", "LibraryLoad",   "cuLink",
                                                      "nvrtc",      "CompileFx",     "compile_fx",
                                                      "_compile",   "triton_compile"};
constexpr std::array<std::string_view, 5> kPhase = {"checkpoint", "Checkpoint", "validation",
                                                    "evaluate", "save_model"};
// Activation checkpointing computes again, and saves nothing.
constexpr std::array<std::string_view, 4> kRecompute = {"checkpoint_wrapped", "CheckpointFunction",
                                                        "CheckpointImpl", "checkpointed"};

Doing OfCall(std::string_view name) {
  if (HasAny(name, kSync)) return Doing::kSync;
  if (HasAny(name, kLaunch)) return Doing::kLaunch;
  if (HasAny(name, kAlloc)) return Doing::kAlloc;
  if (HasAny(name, kCompile)) return Doing::kCompile;
  // cudaMemcpy without Async returns when the copy is done: the host waits in it.
  if (Holds(name, "Memcpy") || Holds(name, "Memset")) return Doing::kSync;
  return Doing::kHost;
}

Doing Inherit(Doing outer, Doing inner) {
  const bool passes =
      outer == Doing::kInputWait || outer == Doing::kCompile || outer == Doing::kOtherPhase;
  return passes && inner == Doing::kHost ? outer : inner;
}

// Turns the nested events of one thread into disjoint activities: the innermost event owns each
// instant.
class Flattener {
 public:
  Flattener(const HostEvents& host, const std::vector<Doing>& doing) : host_(host), doing_(doing) {}

  std::vector<Activity> Run(std::vector<std::uint32_t> events) {
    std::sort(events.begin(), events.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (host_.start[a] != host_.start[b]) return host_.start[a] < host_.start[b];
      if (host_.end[a] != host_.end[b]) return host_.end[a] > host_.end[b];
      return a < b;
    });
    for (const std::uint32_t event : events) Enter(event);
    while (!stack_.empty()) Leave();
    return std::move(out_);
  }

 private:
  struct Open {
    std::uint32_t event;
    Doing doing;
    std::int64_t end;
  };

  void Enter(std::uint32_t event) {
    const std::int64_t start = host_.start[event];
    while (!stack_.empty() && stack_.back().end <= start) Leave();
    if (!stack_.empty()) Emit(stack_.back(), start);
    Doing doing = doing_[event];
    std::int64_t end = host_.end[event];
    if (!stack_.empty()) {
      doing = Inherit(stack_.back().doing, doing);
      end = std::min(
          end, stack_.back().end);  // stamps of a child may end a rounding later than its parent
    }
    at_ = std::max(at_, start);
    stack_.push_back({event, doing, end});
  }

  void Leave() {
    Emit(stack_.back(), stack_.back().end);
    stack_.pop_back();
  }

  void Emit(const Open& open, std::int64_t until) {
    if (until <= at_) return;
    if (!out_.empty() && out_.back().end == at_ && out_.back().event == open.event) {
      out_.back().end = until;
    } else {
      out_.push_back({at_, until, open.doing, open.event});
    }
    at_ = until;
  }

  const HostEvents& host_;
  const std::vector<Doing>& doing_;
  std::vector<Open> stack_;
  std::vector<Activity> out_;
  std::int64_t at_ = INT64_MIN;
};

}  // namespace

Doing Classify(HostKind kind, std::string_view name) {
  switch (kind) {
    case HostKind::kRuntime:
    case HostKind::kDriver:
      return OfCall(name);
    case HostKind::kOp:
    case HostKind::kAnnotation:
      if (HasAny(name, kInput)) return Doing::kInputWait;
      if (HasAny(name, kCompile)) return Doing::kCompile;
      if (kind != HostKind::kAnnotation || HasAny(name, kRecompute)) return Doing::kHost;
      return HasAny(name, kPhase) ? Doing::kOtherPhase : Doing::kHost;
    case HostKind::kSync:
      return Doing::kSync;
    case HostKind::kPython:
    case HostKind::kOverhead:
    case HostKind::kOther:
      return Doing::kHost;
  }
  return Doing::kHost;
}

std::vector<std::vector<Activity>> ActivitiesByThread(const Timeline& timeline) {
  const HostEvents& host = timeline.host;
  // One question a name and kind, not one an event.
  std::vector<std::array<signed char, 8>> known(timeline.names.size());
  for (auto& row : known) row.fill(-1);
  std::vector<Doing> doing(host.size());
  std::vector<std::vector<std::uint32_t>> by_thread(timeline.threads.size());
  for (std::uint32_t i = 0; i < host.size(); ++i) {
    if (host.kind[i] == HostKind::kSync)
      continue;  // these rows mirror runtime calls on device lanes
    signed char& answer = known[host.name[i]][static_cast<std::size_t>(host.kind[i])];
    if (answer < 0)
      answer = static_cast<signed char>(Classify(host.kind[i], timeline.names.Text(host.name[i])));
    doing[i] = static_cast<Doing>(answer);
    // The step's own marker encloses everything and says nothing.
    if (timeline.names.Text(host.name[i]).starts_with("ProfilerStep")) continue;
    by_thread[host.thread[i]].push_back(i);
  }
  std::vector<std::vector<Activity>> activities;
  activities.reserve(by_thread.size());
  for (std::vector<std::uint32_t>& events : by_thread)
    activities.push_back(Flattener(host, doing).Run(std::move(events)));
  return activities;
}

}  // namespace gpuwhy::trace
