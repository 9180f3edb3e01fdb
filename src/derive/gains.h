// gain.* and bound.cpu: what mending one resource would give back, by the utilization law.
#pragma once

#include "derive/chain.h"
#include "derive/job_facts.h"
#include "derive/law.h"
#include "derive/looks.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Fewer looks at the consumer than this say nothing about a share.
inline constexpr std::uint64_t kMinLooksForGain = 30;

void WriteGains(const JobInWindow& job, const Looks& looks, const Chain& chain,
                const FillerUse& use, const QuotaUse& quota, FactSet& facts);

}  // namespace gpuwhy
