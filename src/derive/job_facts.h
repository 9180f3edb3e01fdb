// job.*, cgroup.*, consumer.* and fillers.*: what was measured of one job.
#pragma once

#include <string>

#include "derive/chain.h"
#include "derive/looks.h"
#include "derive/shares.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// CPU bandwidth of the job's cgroups.
struct QuotaUse {
  Reading<double> cores;      ///< the least that a cgroup over the job grants
  Reading<double> throttled;  ///< share of periods: the cgroup that was stopped most
  std::string path;           ///< of that cgroup
};

/// What the loaders did, on average over their looks (sampled) and counters (exact).
struct FillerUse {
  CpuUse cpu;
  double workers = 0;  ///< threads of theirs that work at once
  std::uint64_t looks = 0;
  Share run, read, open, write, fault, mixed, full, starved, unseen;
  double rest = 0;  ///< share in waits that nothing named here ends
};

[[nodiscard]] QuotaUse WriteCgroupFacts(const JobView& job, FactSet& facts);
void WriteJobFacts(const JobView& job, const QuotaUse& quota, FactSet& facts);
[[nodiscard]] FillerUse UseOfFillers(const JobView& job, const Looks& looks,
                                     const std::vector<std::size_t>& fillers);
void WriteConsumerFacts(const JobView& job, const Looks& looks, const Chain& chain, FactSet& facts);
void WriteFillerFacts(const JobView& job, const Chain& chain, const FillerUse& use, FactSet& facts);

/// "job:<pid of the root>".
[[nodiscard]] Subject JobSubject(const JobView& job);
/// Why waits of this process can't be seen; nullopt where they can.
[[nodiscard]] const Missing* WhyUnseen(const JobView& job, std::size_t process);
/// The most cores that one of the processes may use; Missing where none says.
[[nodiscard]] Reading<double> CoresAllowed(const JobView& job,
                                           const std::vector<std::size_t>& processes);

}  // namespace gpuwhy
