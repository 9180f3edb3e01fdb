// Ranking: from findings in any order to the answer. Pure; DESIGN.md "How it decides" 3 to 6 is its
// specification.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnose/finding.h"
#include "diagnose/policy.h"

namespace gpuwhy {

struct RankingContext {
  bool job_seen = false;   ///< a running job was found: risks are then never the verdict
  double device_idle = 0;  ///< share of the step in which the device idled: over policy's 10 % a
                           ///< device fault gets low 0
  /// Those the job computes on; empty: not known. What is wrong with another one costs it nothing.
  std::vector<Subject> job_gpus = {};
};

struct Ranking {
  std::vector<Finding>
      findings;  ///< verdict first; explained_by, effect and the lows of device faults filled in
  std::optional<std::size_t> verdict;  ///< 0 or none
  std::vector<std::string> alerts;
};

/// findings: in any order, ids in the vocabulary; the same set gives the same ranking. Costs and
/// bounds are shares, 0..1. Nothing is dropped: what is no answer stands behind it, and causes
/// before their consequences.
[[nodiscard]] Ranking Rank(std::vector<Finding> findings, const RankingContext& context,
                           const RankingPolicy& policy);

}  // namespace gpuwhy
