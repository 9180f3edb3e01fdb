// What is kept of one rank once its timeline is gone: its collectives and where its time went.
// Small enough for thousands of ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/anatomy.h"
#include "trace/steps.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

struct CollectiveCall {
  std::string group;  ///< process group; empty where the trace does not say
  std::string kind;   ///< "allreduce", ...; the kernel's name where the trace does not say
  std::int64_t start = 0, end = 0;  ///< own clock
  std::int64_t bytes = 0;           ///< of the input; 0: not recorded
  bool measured = true;             ///< within the steps that are measured
};

struct RankSummary {
  std::string file;
  std::int64_t rank = -1;
  bool base_known = false;
  std::int64_t base_ns = 0;
  std::vector<CollectiveCall> collectives;  ///< in order of start, over all lanes
  Parts parts{};             ///< of the measured steps; of the whole span where there are none
  std::int64_t span_ns = 0;  ///< of the same
  std::int64_t compute_sum_ns = 0;  ///< compute kernels in that time added up
  std::uint64_t compute_kernels = 0;
};

/// rank: the trace's own, or this one where it has none. steps: with their parts.
[[nodiscard]] RankSummary Summarize(const Timeline& timeline, const Parts& whole,
                                    const StepList& steps, std::int64_t rank);

}  // namespace gpuwhy::trace
