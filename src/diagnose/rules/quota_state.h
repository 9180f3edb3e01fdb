// Is the CPU quota of the job's cgroup full? Looked at by cpu.quota-throttled and, so that a quota
// is not taken for a lack of cores, by input.cpu-transform.
#pragma once

#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

enum class QuotaLevel : unsigned char {
  kNone,     ///< no cgroup of the job has a quota
  kRoom,     ///< there is one, and it is not full
  kFull,     ///< it stops the group in policy.cpu.throttled_periods of its periods or more
  kUnknown,  ///< noted in the view
};

struct QuotaState {
  QuotaLevel level = QuotaLevel::kUnknown;
  const Fact* throttled = nullptr;  ///< of the cgroup that is stopped most; set for kRoom and kFull
  const Fact* periods = nullptr;    ///< of the same cgroup; set for kRoom and kFull
};

/// Of the job's cgroup and its parents the one that is stopped most decides.
[[nodiscard]] QuotaState LookAtQuota(RuleView& view, const CpuPolicy& policy);

/// Do loaders that wait for a CPU keep the job waiting? What the rules on who has the cores begin
/// with.
struct CoreWait {
  Answer answer = Answer::kUnknown;  ///< kUnknown: what it needs is noted in the view
  const Fact* consumer = nullptr;    ///< share of time in which the job waits for its loaders
  double delay = 0;                  ///< as DelayPerLoader
};
[[nodiscard]] CoreWait WaitForCores(RuleView& view, const Policy& policy);

/// Loaders that were runnable but not running, each on average: run delay per loader, 0..1. Without
/// loaders that of all threads of the job together (a starved consumer is one thread). Not there:
/// noted in the view.
[[nodiscard]] Reading<double> DelayPerLoader(RuleView& view);

}  // namespace gpuwhy
