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

/// cgroup.* of every cgroup that the job is in or below. Its result is of the tightest quota and of
/// the group that was stopped in most periods, which may be two; Missing where no quota is set.
[[nodiscard]] QuotaUse WriteCgroupFacts(const JobInWindow& job, FactSet& facts);
/// job.*: cores for CPU time, threads for run delay, bytes and calls per second for reads, summed
/// over the processes of the tree that were seen.
void WriteJobFacts(const JobInWindow& job, const QuotaUse& quota, FactSet& facts);
/// fillers: by index. Without any, all shares are [0, 1] and cpu is Missing.
[[nodiscard]] FillerUse UseOfFillers(const JobInWindow& job, const Looks& looks,
                                     const std::vector<std::size_t>& fillers);
/// consumer.*: shares of its looks, 0..1. Missing where its waits can't be seen.
void WriteConsumerFacts(const JobInWindow& job, const Looks& looks, const Chain& chain,
                        FactSet& facts);
/// fillers.*: shares of all looks at them, 0..1; the upper ends hold what was asleep unseen.
/// Missing where there are no loaders.
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
