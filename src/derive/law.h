// The utilization law: an item can't take less time than any resource needs for it. From what the
// loaders demand of each resource now, what would the wall time be if one demand were less?
//   T >= max(consumer's own time, CPU demand / cores, CPU demand / quota, serial time / loaders)
// Denning and Buzen, "The Operational Analysis of Queueing Network Models" (1978). Everything is
// per unit of wall time as measured (T = 1).
#pragma once

#include "facts/fact.h"

namespace gpuwhy {

struct Demands {
  double fillers = 1;         ///< loaders that can work at once
  double cpu = 0;             ///< CPU time of the loaders: cores
  double delay = 0;           ///< loaders runnable and not running, on average: run queue and quota
  double read = 0;            ///< loaders waiting in reads, on average
  double open = 0;            ///< ... in opens, stats and listings
  double other_storage = 0;   ///< ... in writes and page faults
  double rest = 0;            ///< ... in waits that no counterfactual here removes
  double consumer = 0;        ///< share of time in which the consumer does not wait for them
  double consumer_delay = 0;  ///< part of that in which it is runnable and not running
  double other_cpu = 0;       ///< CPU time of the rest of the job, on the same cores and quota
  double cores = 0;           ///< that the job may use; 0: unknown
  double quota_cores = 0;     ///< 0: none
  double quota_delay = 0;     ///< part of delay that is the quota's: 0..1
  double foreign_delay = 0;   ///< part of delay that other processes on the cores cause: 0..1
  double idle_outside = 0;    ///< idle cores that the job may not use
};

/// What is thought away: factors on demands, 1 for "as it is".
struct Change {
  double cpu = 1, read = 1, open = 1, other_storage = 1;
  bool without_quota = false;
  bool without_contention = false;
  bool without_mask = false;  ///< the idle cores outside of it can be used as well
  double fillers = 1;         ///< as many times the loaders
};

/// How much of the waiting for a CPU stays once something is mended. The truth lies between:
/// measured with a competitor on the cores, 47 % between 40 % and 67 %.
enum class DelayModel : unsigned char { kKept, kGone };

/// Part of delay that goes with the mask: each idle core outside of it takes one who waits, as far
/// as the loaders keep each other waiting and not a quota or other processes. 0..1.
[[nodiscard]] double MaskDelay(const Demands& demands);

/// Share of the wall time that the change would save: 0..1, never more than the share in which the
/// consumer waits for its loaders, or for a CPU that the change gives it.
[[nodiscard]] double Gain(const Demands& demands, const Change& change, DelayModel model);

/// Share of the wall time, 0..1.
struct GainRange {
  double value = 0;
  Interval interval;
};
/// Mean of both models, and the range over both and over the intervals of what was sampled: low and
/// high hold the demands with every sampled share at that end.
[[nodiscard]] GainRange GainBetween(const Demands& demands, const Demands& low, const Demands& high,
                                    const Change& change);

}  // namespace gpuwhy
