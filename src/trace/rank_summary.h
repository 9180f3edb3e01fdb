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

/// Texts are indices into RankSummary::texts: a rank may hold tens of thousands of calls.
struct CollectiveCall {
  std::uint32_t group = 0;  ///< process group; 0 where the trace does not say
  std::uint32_t kind = 0;   ///< "allreduce", ...; the kernel's name where the trace does not say
  std::uint32_t group_size = 0;     ///< 0: not recorded
  std::int64_t start = 0, end = 0;  ///< own clock
  std::int64_t bytes = 0;           ///< of the input; 0: not recorded
  std::int64_t out_bytes = 0;       ///< of the output; 0: not recorded
  bool measured = true;             ///< within the steps that are measured
};

struct RankSummary {
  std::string file;
  std::int64_t rank = -1;
  bool base_known = false;
  std::int64_t base_ns = 0;
  std::vector<std::string> texts = {std::string()};
  std::vector<CollectiveCall> collectives;  ///< in order of start, over all lanes; no messages
  Parts parts{};             ///< of the measured steps; of the whole span where there are none
  std::int64_t span_ns = 0;  ///< of the same
  std::int64_t compute_sum_ns = 0;  ///< compute kernels in that time added up
  std::uint64_t compute_kernels = 0;
  /// Waiting in sends and receives beyond the shortest of their size, while nothing computes: what
  /// the bubbles of a pipeline cost. Only where the trace names its messages.
  std::int64_t pipeline_ns = 0;
};

/// rank: the trace's own, or this one (-1: still to be given) where it has none. steps: with their
/// parts.
[[nodiscard]] RankSummary Summarize(const Timeline& timeline, const Parts& whole,
                                    const StepList& steps, std::int64_t rank);

}  // namespace gpuwhy::trace
