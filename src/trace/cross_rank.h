// Several ranks of one job: each collective matched across them, split into waiting for the last to
// arrive and moving data; who is late, and why. Pure: works on summaries, so that no two timelines
// need to be in memory.
//
// Clocks are aligned by the ends of matched collectives (all ranks leave a collective together: 30
// us on one node, see docs/trace-definitions.md), never by their starts, which are what is asked
// about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace/collective.h"
#include "trace/rank_summary.h"
#include "trace/what_if.h"

namespace gpuwhy::trace {

struct MatchedCollective {
  std::string group, kind;
  std::size_t index = 0;         ///< k-th of its group
  std::size_t ranks = 0;         ///< how many took part, as far as handed in
  std::int64_t skew_ns = 0;      ///< first arrival to last arrival
  std::int64_t transfer_ns = 0;  ///< last arrival to the (median) end
  std::int64_t bytes = 0;
  std::int64_t last_rank = -1;  ///< who arrived last
};

/// How fast collectives of one kind and size move their data once all have arrived, by nccl-tests'
/// definitions. Only of those whose size is recorded.
struct CollectiveRate {
  CollectiveKind kind = CollectiveKind::kOther;
  std::int64_t bytes = 0;   ///< as nccl-tests counts them
  std::uint32_t ranks = 0;  ///< in the group
  std::uint64_t count = 0;
  std::int64_t transfer_ns = 0;             ///< median
  double algorithm_rate = 0, bus_rate = 0;  ///< bytes per second, at that time
  /// All ranks of the group are there, and the transfer is well above the clocks' residual: else
  /// the rate is a lower bound.
  bool reliable = false;
};

enum class LateBecause : unsigned char {
  kUnknown,
  kMoreWork,
  kSlowDevice,
  kInputWait,
  kHost,
  kSync,
  kCopies
};
[[nodiscard]] std::string_view Name(LateBecause reason);

struct RankWait {
  std::int64_t rank = -1;
  std::string file;
  std::int64_t wait_ns = 0;  ///< in all collectives, for the last to arrive
  std::size_t arrived_last = 0;
  std::int64_t alone_late_ns = 0;    ///< in all collectives, later than all others
  std::int64_t clock_offset_ns = 0;  ///< added to its stamps to align it with the first file
  double kernels_over_median = 0;    ///< its compute kernels by those of the median rank; 0: none
  std::int64_t pipeline_ns = 0;      ///< as RankSummary's
};

struct Straggler {
  std::int64_t rank = -1;
  LateBecause reason = LateBecause::kUnknown;
  std::int64_t excess_ns = 0;  ///< of that reason, over the median of the other ranks
  std::int64_t cost_ns = 0;    ///< what the others waited more than it did, on average
  double arrived_last_share = 0;
};

struct CrossRank {
  std::vector<MatchedCollective> collectives;
  std::vector<CollectiveRate> rates;  ///< by kind, then size
  std::vector<RankWait> waits;        ///< by rank
  std::vector<Straggler> stragglers;  ///< worst first; empty where nobody stands out
  bool equal_work = true;  ///< same number of kernels and near the same compute time on all
  std::int64_t alignment_residual_ns = 0;  ///< median spread of the aligned ends
  std::uint64_t unmatched = 0;             ///< collectives that not all ranks of their group have
  std::int64_t span_ns = 0;                ///< median over ranks
  std::vector<std::string> problems;
};

/// Without the worst straggler; none where there is no straggler.
[[nodiscard]] std::optional<WhatIf> WithoutSlowestRank(const CrossRank& ranks);
[[nodiscard]] CrossRank CompareRanks(const std::vector<RankSummary>& ranks);

}  // namespace gpuwhy::trace
