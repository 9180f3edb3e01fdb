#include "derive/counters.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

constexpr double kNanosPerSecond = 1e9;

/// Members are counted one after the other once a second: one whose last look is older has ended.
constexpr Nanos kCountedTogether = std::chrono::milliseconds(700);

/// Did the process start after this instant? Only then does all that it used belong to the window.
bool BornWithin(const Capture& capture, const ProcessSeen& process, MonoTime instant) {
  if (capture.clocks.empty() || capture.host.ticks_per_second == 0) return false;
  const ClockSample& pair = capture.clocks.front();
  const Nanos boottime = pair.boottime + (instant - pair.mono);
  const double started =
      static_cast<double>(process.start_ticks) / static_cast<double>(capture.host.ticks_per_second);
  return started >= Seconds(boottime);
}

Reading<double> Sum(const Reading<double>& a, const Reading<double>& b) {
  if (!a) return a.missing();
  if (!b) return b.missing();
  return *a + *b;
}

/// Adds growth / span to sum: the first value replaces "not sampled", a hole stays a hole.
class RateSum {
 public:
  void Add(const Reading<double>& growth) {
    if (growth) {
      total_ += *growth;
      any_ = true;
    } else if (!why_) {
      why_ = growth.missing();
    }
  }
  /// strict: one Missing part makes the sum Missing.
  [[nodiscard]] Reading<double> PerSecond(double span_s, bool strict) const {
    if (why_ && (strict || !any_)) return *why_;
    if (!any_ || span_s <= 0) return Missing{Why::kNotSampled, _("counters were read once only")};
    return total_ / span_s;
  }

 private:
  double total_ = 0;
  bool any_ = false;
  std::optional<Missing> why_;
};

struct ThreadSums {
  RateSum run, delay, wakes;
  std::size_t threads = 0;
};

/// From the first to the last instant at which any thread was counted.
class CommonSpan {
 public:
  void Add(const Ends<ThreadCounters>& ends) {
    first_ = first_ ? std::min(*first_, ends.first->at) : ends.first->at;
    last_ = last_ ? std::max(*last_, ends.last->at) : ends.last->at;
  }
  [[nodiscard]] double Length() const { return first_ ? Seconds(*last_ - *first_) : 0; }

 private:
  std::optional<MonoTime> first_, last_;
};

using ThreadIds = std::pair<std::int32_t, std::int32_t>;

/// Switches are not read each time: their ends are those of the counters that have them, or else of
/// all, which say why there are none.
Ends<ThreadCounters> EndsOfSwitches(const std::map<ThreadIds, Ends<ThreadCounters>>& switches,
                                    const ThreadIds& ids, const Ends<ThreadCounters>& all) {
  const auto found = switches.find(ids);
  return found == switches.end() ? all : found->second;
}

}  // namespace

void CpuUse::Add(const CpuUse& other) {
  run = Sum(run, other.run);
  delay = Sum(delay, other.delay);
  wakes = Sum(wakes, other.wakes);
  threads += other.threads;
}

std::vector<CpuUse> CpuUses(const Capture& capture, const ProcessTable& processes,
                            const Scope& window) {
  std::map<ThreadIds, Ends<ThreadCounters>> threads;
  std::map<ThreadIds, Ends<ThreadCounters>> switches;
  for (const ThreadCounters& sample : capture.thread_counters) {
    const ThreadIds ids{sample.pid, sample.tid};
    NoteEnd(threads[ids], sample, window);
    if (sample.voluntary) NoteEnd(switches[ids], sample, window);
  }
  std::vector<ThreadSums> sums(processes.size());
  CommonSpan counted;
  CommonSpan switched;
  for (const auto& [ids, ends] : threads) {
    const std::optional<std::size_t> process = processes.Index(ids.first);
    // A thread that ended before the window has no part in it.
    if (!process || ends.last->at < window.from) continue;
    ThreadSums& sum = sums[*process];
    ++sum.threads;
    if (ends.Span() <= 0) continue;
    counted.Add(ends);
    sum.run.Add(Growth(ends.first->run_ns, ends.last->run_ns, "schedstat"));
    sum.delay.Add(Growth(ends.first->delay_ns, ends.last->delay_ns, "schedstat"));
    const Ends<ThreadCounters> with = EndsOfSwitches(switches, ids, ends);
    if (with.Span() <= 0) continue;
    switched.Add(with);
    sum.wakes.Add(Growth(with.first->voluntary, with.last->voluntary, "status"));
  }
  // One span for all: a thread that lived for half of it counts for half.
  const double span = counted.Length();
  std::vector<CpuUse> uses(processes.size());
  for (std::size_t i = 0; i < uses.size(); ++i) {
    uses[i] = {sums[i].run.PerSecond(span * kNanosPerSecond, true),
               sums[i].delay.PerSecond(span * kNanosPerSecond, true),
               sums[i].wakes.PerSecond(switched.Length(), false), sums[i].threads};
  }
  return uses;
}

IoUse IoOf(const Capture& capture, const ProcessTable& processes, const std::vector<bool>& members,
           const Scope& window) {
  std::map<std::int32_t, Ends<ProcessCounters>> ends_of;
  for (const ProcessCounters& sample : capture.process_counters) {
    const std::optional<std::size_t> process = processes.Index(sample.pid);
    if (process && members[*process]) NoteEnd(ends_of[sample.pid], sample, window);
  }
  RateSum chars;
  RateSum calls;
  RateSum bytes;
  std::optional<MonoTime> first;
  std::optional<MonoTime> last;
  for (const auto& [pid, ends] : ends_of) {
    if (ends.Span() <= 0) continue;
    first = first ? std::min(*first, ends.first->at) : ends.first->at;
    last = last ? std::max(*last, ends.last->at) : ends.last->at;
    chars.Add(Growth(ends.first->read_chars, ends.last->read_chars, "/proc/PID/io"));
    calls.Add(Growth(ends.first->read_calls, ends.last->read_calls, "/proc/PID/io"));
    bytes.Add(Growth(ends.first->read_bytes, ends.last->read_bytes, "/proc/PID/io"));
  }
  const double span = first ? Seconds(*last - *first) : 0;
  return {chars.PerSecond(span, false), calls.PerSecond(span, false), bytes.PerSecond(span, false)};
}

Reading<double> CpuWithChildren(const Capture& capture, const ProcessTable& processes,
                                const std::vector<bool>& members, const Scope& window) {
  std::map<std::int32_t, Ends<ProcessCounters>> ends_of;
  std::optional<MonoTime> first;
  std::optional<MonoTime> last;
  for (const ProcessCounters& sample : capture.process_counters) {
    const std::optional<std::size_t> process = processes.Index(sample.pid);
    if (!process || !members[*process] || sample.at < window.from) continue;
    if (!sample.cpu_ticks) return sample.cpu_ticks.missing();
    if (!sample.children_ticks) return sample.children_ticks.missing();
    NoteEnd(ends_of[sample.pid], sample, window);
    first = first ? std::min(*first, sample.at) : sample.at;
    last = last ? std::max(*last, sample.at) : sample.at;
  }
  const double span = first ? Seconds(*last - *first) : 0;
  if (!(span > 0)) return Missing{Why::kNotSampled, _("counters were read once only")};
  double conserved = 0;  // what the living have at the end, less what the first had at the start
  double seen = 0;
  for (const auto& [pid, ends] : ends_of) {
    if (ends.first == nullptr || ends.last == nullptr) continue;
    const auto own = [](const ProcessCounters& at) { return static_cast<double>(*at.cpu_ticks); };
    const auto all = [&own](const ProcessCounters& at) {
      return own(at) + static_cast<double>(*at.children_ticks);
    };
    seen += std::max(0.0, own(*ends.last) - own(*ends.first));
    // Looks at the members of a job follow each other within a look's pause.
    if (*last - ends.last->at <= kCountedTogether) conserved += all(*ends.last);
    if (!BornWithin(capture, processes.At(*processes.Index(pid)), *first)) {
      conserved -= all(*ends.first);
    }
  }
  const double ticks = std::max(1U, capture.host.ticks_per_second);
  return std::max({conserved, seen, 0.0}) / ticks / span;
}

}  // namespace gpuwhy
