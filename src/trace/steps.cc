#include "trace/steps.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <utility>

#include "base/median.h"

namespace gpuwhy::trace {
namespace {

// A first step of more than twice the median compiles, allocates or tunes.
constexpr double kWarmUp = 2.0;
// A last step under half of the median was cut off by the end of the profile.
constexpr double kIncomplete = 0.5;
// Named ranges and periods must repeat this often before they are taken for steps.
constexpr std::size_t kFewest = 3;

std::int64_t MedianLength(const std::vector<Step>& steps, std::size_t from) {
  std::vector<std::int64_t> lengths;
  for (std::size_t i = from; i < steps.size(); ++i)
    lengths.push_back(steps[i].anatomy.window.Length());
  return lengths.empty() ? 0 : Median(std::move(lengths));
}

// "step 12" and "step 13" are one name: digits at the end do not count.
std::string_view Stem(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return last == std::string_view::npos ? name : name.substr(0, last + 1);
}

bool NamesAStep(std::string_view stem) {
  constexpr std::array<std::string_view, 8> kWords = {"step",  "Step",  "iter", "Iter",
                                                      "batch", "Batch", "STEP", "train"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    return stem.find(word) != std::string_view::npos;
  });
}

// Ranges of one stem on one thread that repeat without overlap. Of several, those whose stem names
// a step first, then those that cover most.
std::vector<Step> FromAnnotations(const Timeline& timeline, bool& named) {
  const HostEvents& host = timeline.host;
  std::map<std::pair<std::uint32_t, std::string_view>, std::vector<std::size_t>> ranges;
  std::int64_t first = INT64_MAX;
  std::int64_t last = INT64_MIN;
  for (std::size_t i = 0; i < host.size(); ++i) {
    first = std::min(first, host.start[i]);
    last = std::max(last, host.end[i]);
    if (host.kind[i] != HostKind::kAnnotation) continue;
    const std::string_view stem = Stem(timeline.names.Text(host.name[i]));
    // emit_nvtx writes a range an operation, with its number: no step.
    if (stem.find("op_id") == std::string_view::npos) ranges[{host.thread[i], stem}].push_back(i);
  }
  const std::vector<std::size_t>* best = nullptr;
  std::pair<bool, std::int64_t> best_score{false, 0};
  for (auto& [key, events] : ranges) {
    if (events.size() < kFewest) continue;
    std::sort(events.begin(), events.end(),
              [&](std::size_t a, std::size_t b) { return host.start[a] < host.start[b]; });
    std::int64_t covered = 0;
    bool apart = true;
    for (std::size_t i = 0; i < events.size(); ++i) {
      covered += host.end[events[i]] - host.start[events[i]];
      if (i > 0 && host.start[events[i]] < host.end[events[i - 1]]) apart = false;
    }
    const std::pair<bool, std::int64_t> score{NamesAStep(key.second), covered};
    // A range that covers less than half of the time is a part of a step, not the step.
    if (!apart || 2 * covered < last - first || score <= best_score) continue;
    best = &events;
    best_score = score;
  }
  std::vector<Step> steps;
  if (best == nullptr) return steps;
  named = best_score.first;
  for (const std::size_t i : *best) {
    steps.push_back({{std::string(timeline.names.Text(host.name[i])),
                      "annotation",
                      {host.start[i], host.end[i]},
                      {}},
                     StepUse::kMeasured});
  }
  return steps;
}

struct Sequence {
  std::vector<std::uint32_t> events;  // of the busiest stream, by start
  std::vector<NameIndex> names;
};

Sequence BusiestStream(const Timeline& timeline) {
  const DeviceEvents& device = timeline.device;
  std::vector<std::uint64_t> kernels(timeline.lanes.size());
  for (std::size_t i = 0; i < device.size(); ++i) {
    if (device.work[i] == Work::kCompute) ++kernels[device.lane[i]];
  }
  Sequence sequence;
  if (kernels.empty()) return sequence;
  const auto lane = static_cast<std::uint32_t>(std::max_element(kernels.begin(), kernels.end()) -
                                               kernels.begin());
  for (std::uint32_t i = 0; i < device.size(); ++i) {
    if (device.lane[i] == lane && device.work[i] == Work::kCompute) sequence.events.push_back(i);
  }
  std::sort(sequence.events.begin(), sequence.events.end(),
            [&](std::uint32_t a, std::uint32_t b) { return device.start[a] < device.start[b]; });
  for (const std::uint32_t i : sequence.events) sequence.names.push_back(device.name[i]);
  return sequence;
}

// Share of places at which the sequence equals itself, shifted by `period`.
double Agreement(const std::vector<NameIndex>& names, std::size_t period) {
  std::size_t same = 0;
  const std::size_t n = names.size() - period;
  for (std::size_t i = 0; i < n; ++i) same += names[i] == names[i + period] ? 1U : 0U;
  return n == 0 ? 0 : static_cast<double>(same) / static_cast<double>(n);
}

// Distances between neighbours of one name are multiples of the period or of what repeats inside
// it (layers): the rarest names give the longest ones, and those are tried.
std::vector<std::size_t> CandidatePeriods(const std::vector<NameIndex>& names) {
  std::unordered_map<NameIndex, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < names.size(); ++i) places[names[i]].push_back(i);
  std::map<std::size_t, std::size_t> votes;
  for (const auto& [name, at] : places) {
    if (at.size() < kFewest) continue;
    for (std::size_t i = 1; i < at.size() && i < 64; ++i) ++votes[at[i] - at[i - 1]];
  }
  std::vector<std::pair<std::size_t, std::size_t>> by_votes;
  by_votes.reserve(votes.size());
  for (const auto& [period, count] : votes) by_votes.emplace_back(count * period, period);
  std::sort(by_votes.rbegin(), by_votes.rend());
  std::vector<std::size_t> periods;
  for (std::size_t i = 0; i < by_votes.size() && i < 48; ++i) periods.push_back(by_votes[i].second);
  return periods;
}

struct Period {
  std::size_t length = 0;
  double agreement = 0;
};

// The longest period that agrees nearly as well as the best: shorter ones are layers of a model.
Period FindPeriod(const std::vector<NameIndex>& names) {
  constexpr double kGood = 0.80;
  constexpr double kNearlyAsGood = 0.02;
  std::vector<Period> tried;
  double best = 0;
  for (const std::size_t length : CandidatePeriods(names)) {
    if (length < 2 || length * kFewest > names.size()) continue;
    tried.push_back({length, Agreement(names, length)});
    best = std::max(best, tried.back().agreement);
  }
  Period chosen;
  for (const Period& p : tried) {
    if (p.agreement < std::max(kGood, best - kNearlyAsGood)) continue;
    // A multiple of a shorter period agrees too; only where it agrees better is it the step.
    const bool multiple = chosen.length != 0 && p.length % chosen.length == 0;
    const bool part = chosen.length != 0 && chosen.length % p.length == 0;
    if (chosen.length == 0 || (part && p.agreement >= chosen.agreement - 0.005) ||
        (!multiple && !part && p.agreement > chosen.agreement) ||
        (multiple && p.agreement > chosen.agreement + 0.005))
      chosen = p;
  }
  return chosen;
}

// Steps begin where the period begins, which is chosen so that the longest pause falls between two.
std::size_t Phase(const Timeline& timeline, const Sequence& sequence, std::size_t period) {
  std::vector<std::int64_t> pause(period);
  for (std::size_t i = 1; i < sequence.events.size(); ++i) {
    pause[i % period] +=
        timeline.device.start[sequence.events[i]] - timeline.device.end[sequence.events[i - 1]];
  }
  return static_cast<std::size_t>(std::max_element(pause.begin(), pause.end()) - pause.begin());
}

std::vector<Step> FromPeriod(const Timeline& timeline, double& agreement) {
  const Sequence sequence = BusiestStream(timeline);
  std::vector<Step> steps;
  if (sequence.names.size() < 2 * kFewest) return steps;
  const Period period = FindPeriod(sequence.names);
  if (period.length == 0) return steps;
  agreement = period.agreement;
  const std::vector<std::int64_t>& start = timeline.device.start;
  const std::size_t phase = Phase(timeline, sequence, period.length);
  for (std::size_t at = phase; at + period.length < sequence.events.size(); at += period.length) {
    const Span window{start[sequence.events[at]], start[sequence.events[at + period.length]]};
    steps.push_back(
        {{"period " + std::to_string(steps.size() + 1), "period", window, {}}, StepUse::kMeasured});
  }
  return steps;
}

bool HasDeviceWork(const Timeline& timeline, Span window) {
  const DeviceEvents& device = timeline.device;
  for (std::size_t i = 0; i < device.size(); ++i) {
    if (device.start[i] < window.end && device.end[i] > window.start) return true;
  }
  return false;
}

// What the ends of a profile do to the steps there.
void Judge(const Timeline& timeline, std::vector<Step>& steps) {
  if (steps.size() < kFewest) return;
  const auto median = static_cast<double>(MedianLength(steps, 1));
  const auto first = static_cast<double>(steps.front().anatomy.window.Length());
  if (!HasDeviceWork(timeline, steps.front().anatomy.window)) {
    steps.front().use = StepUse::kProfilerStart;
  } else if (first > kWarmUp * median) {
    steps.front().use = StepUse::kWarmUp;
  }
  const auto last = static_cast<double>(steps.back().anatomy.window.Length());
  if (last < kIncomplete * median) steps.back().use = StepUse::kIncomplete;
}

void Choose(StepList& list) {
  std::vector<std::size_t> measured;
  for (std::size_t i = 0; i < list.steps.size(); ++i) {
    if (list.steps[i].use == StepUse::kMeasured) measured.push_back(i);
  }
  if (measured.empty()) return;
  std::sort(measured.begin(), measured.end(), [&](std::size_t a, std::size_t b) {
    return list.steps[a].anatomy.window.Length() < list.steps[b].anatomy.window.Length();
  });
  list.typical = measured[(measured.size() - 1) / 2];
  list.worst = measured.back();
}

}  // namespace

std::string_view Name(StepUse use) {
  constexpr std::array<std::string_view, 4> kNames = {"measured", "warm-up", "profiler-start",
                                                      "incomplete"};
  return kNames.at(static_cast<std::size_t>(use));
}

Span MeasuredWindow(const StepList& list) {
  Span window{INT64_MAX, INT64_MIN};
  for (const Step& step : list.steps) {
    if (step.use != StepUse::kMeasured) continue;
    window.start = std::min(window.start, step.anatomy.window.start);
    window.end = std::max(window.end, step.anatomy.window.end);
  }
  return window.start < window.end ? window : kAllTime;
}

StepList FindSteps(const Timeline& timeline) {
  StepList list;
  for (StepAnatomy& step : StepsOf(timeline)) list.steps.push_back({std::move(step), {}});
  if (!list.steps.empty()) {
    list.source = "marker";
    list.confidence = "high";
  } else {
    bool named = false;
    list.steps = FromAnnotations(timeline, named);
    list.source = "annotation";
    list.confidence = named ? "high" : "medium";
  }
  if (list.steps.empty()) {
    constexpr double kSure = 0.95;
    double agreement = 0;
    list.steps = FromPeriod(timeline, agreement);
    list.source = "period";
    list.confidence = agreement >= kSure ? "medium" : "low";
  }
  if (list.steps.empty()) return {};
  Judge(timeline, list.steps);
  Choose(list);
  return list;
}

}  // namespace gpuwhy::trace
