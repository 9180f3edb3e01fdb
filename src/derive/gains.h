// gain.* and bound.cpu: what mending one resource would give back, by the utilization law.
#pragma once

#include <vector>

#include "derive/cgroup_io.h"
#include "derive/chain.h"
#include "derive/job_facts.h"
#include "derive/law.h"
#include "derive/looks.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Fewer looks at the consumer than this say nothing about a share.
inline constexpr std::uint64_t kMinLooksForGain = 30;

struct GainInputs {
  const JobInWindow& job;
  const Looks& looks;
  const Chain& chain;
  const FillerUse& use;
  const QuotaUse& quota;
  const std::vector<LimitedReads>& limited;
};

/// Of the job: gain.* and bound.cpu as shares of the wall time, 0..1, with their intervals, and
/// gain.storage.limit of each of in.limited. Missing, all with the same reason, where the consumer
/// or its loaders were looked at too seldom or their waits could not be seen. Needs host.cpu.busy
/// and job.run in facts already: DeriveHostRates() and WriteJobFacts() come before.
void WriteGains(const GainInputs& in, FactSet& facts);

}  // namespace gpuwhy
