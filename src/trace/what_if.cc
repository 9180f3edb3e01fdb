#include "trace/what_if.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/i18n.h"
#include "trace/host_activity.h"
#include "trace/intervals.h"

namespace gpuwhy::trace {
namespace {

constexpr std::uint32_t kNothing = UINT32_MAX;
constexpr double kReliable = 0.10;

// What a thread did in a stretch of time: up to the end of its last synchronisation, and after it.
struct Stretch {
  std::int64_t input_before = 0, work_before = 0;
  std::int64_t input_after = 0, work_after = 0;
  std::int64_t sync_end = 0;  // 0: there was none
  std::int64_t recorded_ns = 0;
  std::int64_t unrecorded_ns = 0;  // of the stretch nothing of that thread is in the trace
};

// More than this between two launches without a record is no launching: what it was is not known.
constexpr std::int64_t kNoLaunching = 1'000'000;

// One launching call of the host, in order of time, and how its process came to it. Threads of one
// process hand over to each other (forward, then autograd's backward): their calls are one chain.
struct Call {
  std::int64_t start = 0;
  std::uint32_t thread = 0;
  Stretch since;                      // since the process's call before it
  std::uint32_t awaits = UINT32_MAX;  // the device event that its last synchronisation waited for
  std::vector<std::uint32_t> work;    // what it put on the device, by start
};

bool Holds(Span span, std::int64_t at) { return at >= span.start && at < span.end; }

class Play {
 public:
  Play(const Timeline& timeline, const Excerpt& excerpt) : timeline_(timeline), excerpt_(excerpt) {
    CollectCalls();
    MeasureGaps();
  }

  [[nodiscard]] bool Possible() const { return !calls_.empty(); }
  [[nodiscard]] std::int64_t Recorded() const { return last_end_ - calls_.front().start; }

  // Plays all calls; returns when the last device work ends after the first call.
  [[nodiscard]] std::int64_t Run(std::optional<Change> change) const {
    std::unordered_map<NameIndex, std::int64_t> clocks;  // by process
    std::vector<std::int64_t> lanes(timeline_.lanes.size(), calls_.front().start);
    std::vector<std::int64_t> ends(timeline_.device.size(), INT64_MIN);
    std::int64_t end = calls_.front().start;
    for (const Call& call : calls_) {
      const auto [it, first] = clocks.try_emplace(ProcessOf(call.thread), call.start);
      std::int64_t& clock = it->second;
      if (!first) {
        const Stretch& since = call.since;
        const bool waits = change != Change::kNoInputWait;
        const bool works = change != Change::kLaunchesBatched;
        clock += (waits ? since.input_before : 0) + (works ? since.work_before : 0);
        if (call.awaits != kNothing && change != Change::kNoSynchronisation)
          clock = std::max(clock, ends[call.awaits]);
        clock += (waits ? since.input_after : 0) + (works ? since.work_after : NotLaunching(since));
      }
      for (const std::uint32_t work : call.work) {
        const std::int64_t done = RunWork(work, clock, change, lanes);
        ends[work] = done;
        end = std::max(end, done);
      }
    }
    return end - calls_.front().start;
  }

 private:
  // What batching the launches does not take away.
  static std::int64_t NotLaunching(const Stretch& since) {
    const std::int64_t work = since.work_before + since.work_after;
    return since.unrecorded_ns > kNoLaunching ? std::min(since.unrecorded_ns, work) : 0;
  }

  [[nodiscard]] NameIndex ProcessOf(std::uint32_t thread) const {
    return timeline_.threads[thread].process;
  }

  std::int64_t RunWork(std::uint32_t work, std::int64_t ready, std::optional<Change> change,
                       std::vector<std::int64_t>& lanes) const {
    const DeviceEvents& device = timeline_.device;
    const Work kind = device.work[work];
    const bool copy = kind == Work::kH2D || kind == Work::kD2H || kind == Work::kD2D ||
                      kind == Work::kP2P || kind == Work::kMemcpyOther;
    const bool free = (change == Change::kCopiesOverlapped && copy) ||
                      (change == Change::kCommunicationHidden && kind == Work::kComm);
    std::int64_t& lane = lanes[device.lane[work]];
    std::int64_t start = std::max(lane, ready + latency_);
    // Work that had to wait for another stream: for what ended last before it there.
    if (const std::int64_t awaited = AwaitedLane(work); awaited >= 0)
      start = std::max(start, lanes[static_cast<std::size_t>(awaited)]);
    const std::int64_t length = free ? 0 : device.end[work] - device.start[work];
    return lane = start + length;
  }

  // A stream that waits on another's event starts within microseconds of that one's end, long
  // after its own launch. -1: it waited for none.
  [[nodiscard]] std::int64_t AwaitedLane(std::uint32_t work) const { return awaited_[work]; }

  void CollectCalls() {
    const HostEvents& host = timeline_.host;
    const DeviceEvents& device = timeline_.device;
    std::unordered_map<std::int64_t, std::uint32_t> by_correlation;
    for (std::uint32_t i = 0; i < host.size(); ++i) {
      const bool call = host.kind[i] == HostKind::kRuntime || host.kind[i] == HostKind::kDriver;
      const bool inside = Holds(excerpt_.launched, host.start[i]);
      if (call && inside && host.correlation[i] >= 0)
        by_correlation.try_emplace(host.correlation[i], i);
    }
    std::vector<std::uint32_t> order(device.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return device.start[a] != device.start[b] ? device.start[a] < device.start[b] : a < b;
    });
    FindAwaited(order);
    std::unordered_map<std::uint32_t, std::size_t> place;  // host event -> index into calls_
    std::vector<std::int64_t> latencies;
    for (const std::uint32_t work : order) {
      const auto it = by_correlation.find(device.correlation[work]);
      if (device.correlation[work] < 0 || it == by_correlation.end()) continue;
      if (!Holds(excerpt_.run, device.start[work])) continue;
      const auto [at, added] = place.try_emplace(it->second, calls_.size());
      if (added) {
        Call call;
        call.start = host.start[it->second];
        call.thread = host.thread[it->second];
        calls_.push_back(std::move(call));
      }
      calls_[at->second].work.push_back(work);
      latencies.push_back(std::max<std::int64_t>(0, device.start[work] - host.start[it->second]));
      last_end_ = std::max(last_end_, device.end[work]);
    }
    std::sort(calls_.begin(), calls_.end(),
              [](const Call& a, const Call& b) { return a.start < b.start; });
    if (latencies.empty()) return;
    // The least that a launch takes to its start: near the minimum, but not a clock's rounding.
    const auto low = latencies.begin() + static_cast<std::ptrdiff_t>(latencies.size() / 20);
    std::nth_element(latencies.begin(), low, latencies.end());
    // Where launches always run ahead, all latencies are queueing: no launch takes longer than
    // this.
    constexpr std::int64_t kLongest = 10'000;
    latency_ = std::min(*low, kLongest);
  }

  void FindAwaited(const std::vector<std::uint32_t>& order) {
    constexpr std::int64_t kSoon = 5'000;
    const DeviceEvents& device = timeline_.device;
    awaited_.assign(device.size(), -1);
    std::vector<std::int64_t> ends(timeline_.lanes.size(), INT64_MIN / 2);
    for (const std::uint32_t work : order) {
      std::int64_t latest = ends[device.lane[work]];
      for (std::size_t lane = 0; lane < ends.size() && ends.size() <= 64; ++lane) {
        const bool before = ends[lane] <= device.start[work];
        if (!before || ends[lane] + kSoon < device.start[work] || ends[lane] <= latest) continue;
        latest = ends[lane];
        awaited_[work] = static_cast<std::int64_t>(lane);
      }
      ends[device.lane[work]] = std::max(ends[device.lane[work]], device.end[work]);
    }
  }

  // What each process did between two of its calls: by the thread that makes the second, or by the
  // one that made the first where that one recorded more.
  void MeasureGaps() {
    const std::vector<std::vector<Activity>> activities = ActivitiesByThread(timeline_);
    const std::vector<std::pair<std::int64_t, std::uint32_t>> by_end = DeviceByEnd();
    std::vector<std::size_t> at(activities.size());  // activities before are over
    std::unordered_map<NameIndex, const Call*> last;
    for (Call& call : calls_) {
      const Call*& before = last[ProcessOf(call.thread)];
      if (before != nullptr) {
        const Span gap{before->start, call.start};
        call.since = Look(activities[call.thread], at[call.thread], gap);
        if (before->thread != call.thread) {
          const Stretch other = Look(activities[before->thread], at[before->thread], gap);
          if (other.recorded_ns > call.since.recorded_ns) call.since = other;
        }
        if (call.since.sync_end != 0) call.awaits = Awaited(by_end, call.since.sync_end);
      }
      before = &call;
    }
  }

  [[nodiscard]] std::vector<std::pair<std::int64_t, std::uint32_t>> DeviceByEnd() const {
    std::vector<std::pair<std::int64_t, std::uint32_t>> by_end;
    by_end.reserve(timeline_.device.size());
    for (std::uint32_t i = 0; i < timeline_.device.size(); ++i)
      by_end.emplace_back(timeline_.device.end[i], i);
    std::sort(by_end.begin(), by_end.end());
    return by_end;
  }

  // What a synchronisation that returned then waited for: the work that ended last before, if that
  // was shortly before. kNothing: the device had long been done.
  static std::uint32_t Awaited(const std::vector<std::pair<std::int64_t, std::uint32_t>>& by_end,
                               std::int64_t returned) {
    constexpr std::int64_t kShortly = 50'000;
    const auto after =
        std::upper_bound(by_end.begin(), by_end.end(), std::make_pair(returned, UINT32_MAX));
    if (after == by_end.begin()) return kNothing;
    const auto& [end, event] = *std::prev(after);
    return end + kShortly < returned ? kNothing : event;
  }

  static Stretch Look(const std::vector<Activity>& list, std::size_t& from, Span gap) {
    Stretch stretch;
    while (from < list.size() && list[from].end <= gap.start) ++from;
    std::int64_t at = gap.start;  // up to here it is accounted for
    for (std::size_t i = from; i < list.size() && list[i].start < gap.end; ++i) {
      const std::int64_t start = std::max(list[i].start, gap.start);
      const std::int64_t end = std::min(list[i].end, gap.end);
      stretch.recorded_ns += end - start;
      if (list[i].doing != Doing::kSync && list[i].doing != Doing::kInputWait) continue;
      stretch.work_after += start - at;
      at = end;
      if (list[i].doing == Doing::kInputWait) {
        stretch.input_after += end - start;
        continue;
      }
      stretch.sync_end = list[i].end;
      stretch.input_before += std::exchange(stretch.input_after, 0);
      stretch.work_before += std::exchange(stretch.work_after, 0);
    }
    stretch.work_after += gap.end - at;
    stretch.unrecorded_ns = gap.end - gap.start - stretch.recorded_ns;
    return stretch;
  }

  const Timeline& timeline_;
  Excerpt excerpt_;
  std::vector<Call> calls_;
  std::vector<std::int64_t> awaited_;
  std::int64_t latency_ = 0, last_end_ = INT64_MIN;
};

}  // namespace

std::string_view Name(Change change) {
  constexpr std::array<std::string_view, 6> kNames = {
      "no-input-wait",        "copies-overlapped",    "launches-batched",
      "communication-hidden", "without-slowest-rank", "no-synchronisation"};
  return kNames.at(static_cast<std::size_t>(change));
}

const char* Assumption(Change change) {
  switch (change) {
    case Change::kNoInputWait:
      return _("the next batch is always ready; synchronisations still wait for the device");
    case Change::kCopiesOverlapped:
      return _("copies run beside the computing on a stream of their own and are always in time");
    case Change::kLaunchesBatched:
      return _(
          "whole steps are launched as graphs: the host does nothing between launches but wait");
    case Change::kCommunicationHidden:
      return _("collectives run wholly behind the computing, and nobody waits for another rank");
    case Change::kWithoutSlowestRank:
      return _("in each collective that rank arrives with the second to last");
    case Change::kNoSynchronisation:
      return _("the host never waits for the device: no value is read back before the end");
  }
  return "";
}

std::vector<WhatIf> PlayAgain(const Timeline& timeline, const Excerpt& excerpt) {
  const Play play(timeline, excerpt);
  std::vector<WhatIf> answers;
  if (!play.Possible()) return answers;
  const std::int64_t now = play.Run(std::nullopt);
  const auto recorded = static_cast<double>(play.Recorded());
  const bool reliable = std::abs(static_cast<double>(now) - recorded) <= kReliable * recorded;
  for (const Change change :
       {Change::kNoInputWait, Change::kCopiesOverlapped, Change::kLaunchesBatched,
        Change::kCommunicationHidden, Change::kNoSynchronisation}) {
    const std::int64_t then = play.Run(change);
    const double gain =
        now > 0 ? std::max(0.0, 1 - static_cast<double>(then) / static_cast<double>(now)) : 0;
    answers.push_back({change, now, then, gain, reliable});
  }
  return answers;
}

}  // namespace gpuwhy::trace
