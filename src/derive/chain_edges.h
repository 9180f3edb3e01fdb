// The wait chain as edges for the report: consumer to loaders, loaders to what ends the chain.
#pragma once

#include <vector>

#include "derive/chain.h"
#include "derive/job_facts.h"
#include "derive/objects.h"
#include "derive/storage_waits.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Edges with a share of at least 1 %, from the consumer down, the largest of each end first.
[[nodiscard]] std::vector<WaitEdge> ChainEdges(const JobInWindow& job, const Looks& looks,
                                               const ObjectIndex& objects, const Chain& chain,
                                               const FillerUse& use, const QuotaUse& quota,
                                               const std::vector<MountShare>& mounts);

}  // namespace gpuwhy
