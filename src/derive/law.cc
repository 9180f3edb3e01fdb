#include "derive/law.h"

#include <algorithm>

namespace gpuwhy {
namespace {

/// Where the loaders themselves fill the cores to this share, what they wait for is each other.
constexpr double kSaturated = 0.9;

/// Part of the waiting for a CPU whose cause is thought away.
double RemovedDelay(const Demands& demands, const Change& change) {
  const double quota = change.without_quota ? demands.quota_delay : 0;
  const double foreign = change.without_contention ? demands.foreign_delay : 0;
  const double mask = change.without_mask ? MaskDelay(demands) : 0;
  return std::clamp(quota + foreign + mask, 0.0, 1.0);
}

/// The consumer's own time. It stands in the same cgroup and on the same cores as its loaders: what
/// stops them stops it, and that part of its time is not its work.
double ConsumerAfter(const Demands& demands, const Change& change) {
  const double delay = std::clamp(demands.consumer_delay, 0.0, demands.consumer);
  return demands.consumer - delay * RemovedDelay(demands, change);
}

/// Runnable and not running after the change. Waiting for cores that others use goes with the
/// number of turns, so with the work; waiting for each other goes with its square (M/M/1: the mean
/// queue is u^2 / (1 - u)).
double DelayAfter(const Demands& demands, const Change& change) {
  const double gone = RemovedDelay(demands, change);
  const bool own = demands.cores > 0 && demands.cpu >= kSaturated * demands.cores;
  return demands.delay * (1 - gone) * (own ? change.cpu * change.cpu : change.cpu);
}

/// Wall time, in units of the measured one.
double Time(const Demands& demands, const Change& change, bool with_delay) {
  const double cpu = demands.cpu * change.cpu;
  const double delay = with_delay ? DelayAfter(demands, change) : 0;
  const double serial = cpu + delay + demands.read * change.read + demands.open * change.open +
                        demands.other_storage * change.other_storage + demands.rest;
  double time = std::max(ConsumerAfter(demands, change),
                         serial / std::max(demands.fillers * change.fillers, 1.0));
  // A capacity under what was measured as used is wrong (another namespace, a mask that changed):
  // the measurement stands.
  const double used = demands.cpu + demands.other_cpu;
  if (demands.cores > 0) {
    const double cores =
        std::max(demands.cores, used) + (change.without_mask ? demands.idle_outside : 0);
    time = std::max(time, (cpu + demands.other_cpu) / cores);
  }
  if (demands.quota_cores > 0 && !change.without_quota) {
    time = std::max(time, (cpu + demands.other_cpu) / std::max(demands.quota_cores, used));
  }
  return time;
}

}  // namespace

double MaskDelay(const Demands& demands) {
  if (demands.idle_outside <= 0 || demands.delay <= 0) return 0;
  const double own = std::max(0.0, 1 - demands.quota_delay - demands.foreign_delay);
  return std::min(own, demands.idle_outside / demands.delay);
}

double Gain(const Demands& demands, const Change& change, DelayModel model) {
  const double now = Time(demands, Change{}, true);
  if (!(now > 0)) return 0;
  const double kept = std::max(0.0, 1 - Time(demands, change, true) / now);
  double gain = kept;
  if (model == DelayModel::kGone) {
    // What was waited for a CPU can fall by no more than what was taken away: thinking away
    // nothing must save nothing.
    const double removed = demands.cpu * (1 - change.cpu) + demands.read * (1 - change.read) +
                           demands.open * (1 - change.open) +
                           demands.other_storage * (1 - change.other_storage) +
                           demands.delay * RemovedDelay(demands, change);
    const double gone = std::max(0.0, 1 - Time(demands, change, false) / now);
    gain = std::clamp(gone, kept, kept + removed / std::max(demands.fillers, 1.0));
  }
  return std::clamp(gain, 0.0, std::max(0.0, 1 - ConsumerAfter(demands, change)));
}

GainRange GainBetween(const Demands& demands, const Demands& low, const Demands& high,
                      const Change& change) {
  GainRange range;
  const double kept = Gain(demands, change, DelayModel::kKept);
  const double gone = Gain(demands, change, DelayModel::kGone);
  range.value = (kept + gone) / 2;
  range.interval = {kept, gone};
  for (const Demands* end : {&low, &high}) {
    for (const DelayModel model : {DelayModel::kKept, DelayModel::kGone}) {
      const double gain = Gain(*end, change, model);
      range.interval.low = std::min(range.interval.low, gain);
      range.interval.high = std::max(range.interval.high, gain);
    }
  }
  return range;
}

}  // namespace gpuwhy
