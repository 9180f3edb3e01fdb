// Which process trees could be the job, when nobody said: those in which a process is starved by
// others of its tree that work, or in which those are ahead of it, and what uses a device. A
// starved job is never the busiest tree, so CPU use says little.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Candidates, best first, from the samples of [started, focused] (all so far where the focus is
/// not chosen yet). Those that use a device come first, then those that map a framework; an idle
/// one has no such lead. Within each by score, 0..1: the share of looks in which the best process
/// of the tree was starved; or 0.6 x the share in which it was starved or its workers waited for it
/// to drain their queue; 0.3 x the share of a private wait where only its own threads work (not
/// provable). A process that waits for strangers (other programs, or none of its children) counts a
/// quarter of that. Trees do not overlap.
[[nodiscard]] std::vector<JobFacts> DiscoverJobs(const Capture& capture);

/// The job among them, its root's pid; 0 where none stands out. A job that waits less than a fifth
/// of its time is not what was asked for, unless it uses a device.
[[nodiscard]] std::int32_t ChooseJob(const std::vector<JobFacts>& jobs);

/// Enough looks to choose by: at the best candidate, or where there is none, at anything.
[[nodiscard]] bool SeenEnough(const Capture& capture, const std::vector<JobFacts>& jobs);

}  // namespace gpuwhy
