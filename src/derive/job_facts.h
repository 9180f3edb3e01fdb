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
  /// Were most storage waits told by the wait channel alone? Then opens look like reads.
  bool opens_hidden = false;
  double rest = 0;  ///< share in waits that nothing named here ends
};

[[nodiscard]] QuotaUse WriteCgroupFacts(const JobInWindow& job, FactSet& facts);
void WriteJobFacts(const JobInWindow& job, const QuotaUse& quota, FactSet& facts);
[[nodiscard]] FillerUse UseOfFillers(const JobInWindow& job, const Looks& looks,
                                     const std::vector<std::size_t>& fillers);
void WriteConsumerFacts(const JobInWindow& job, const Looks& looks, const Chain& chain,
                        FactSet& facts);
void WriteFillerFacts(const JobInWindow& job, const Chain& chain, const FillerUse& use,
                      FactSet& facts);

/// Is this cgroup one that a process of the job is in, or above it? Where no membership was read
/// every cgroup that was asked about counts: only those of the job are asked about.
[[nodiscard]] bool HoldsJob(const JobInWindow& job, const std::string& path);
/// "job:<pid of the root>".
[[nodiscard]] Subject JobSubject(const JobInWindow& job);
/// Why waits of this process can't be seen; nullopt where they can.
[[nodiscard]] const Missing* WhyUnseen(const JobInWindow& job, std::size_t process);
/// The most cores that one of the processes may use; Missing where none says.
[[nodiscard]] Reading<double> CoresAllowed(const JobInWindow& job,
                                           const std::vector<std::size_t>& processes);

}  // namespace gpuwhy
