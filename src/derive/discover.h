// Which process trees could be the job, when nobody said: those in which a process is starved by
// others of its tree that work. A starved job is never the busiest tree, so CPU use says nothing.
#pragma once

#include <vector>

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Candidates, best first, from the samples of [started, focused] (all so far where the focus is
/// not chosen yet). Score: share of looks in which the best process of the tree was starved,
/// 0..1; 0.3 x that share of a private wait where only its own threads work (not provable); 1 more
/// where it maps the CUDA library. Trees do not overlap.
[[nodiscard]] std::vector<JobFacts> DiscoverJobs(const Capture& capture);

}  // namespace gpuwhy
