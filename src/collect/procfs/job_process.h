// One process of the job: what is known of it and the files of its threads.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "capture/interner.h"
#include "collect/procfs/job_threads.h"
#include "collect/procfs/job_tree.h"
#include "collect/procfs/proc_paths.h"
#include "os/host.h"
#include "parse/procfs/pid_cgroup.h"

namespace gpuwhy {

/// Reads what a new process is. `maps_cuda` is left to whoever reads its maps. cgroups: its lines,
/// for the CgroupReader.
struct Introduction {
  ProcessSeen seen;
  WaitRights rights;
  std::vector<CgroupLine> cgroups;
};
[[nodiscard]] Introduction IntroduceProcess(Host host, Interner& interner, const PidStat& stat);

struct JobProcess {
  JobProcess(std::uint64_t start, WaitRights waits, std::int32_t pid, DescriptorBudget& budget)
      : start_ticks(start),
        rights(waits),
        io(ProcessPath(pid, "io"), budget),
        status(ProcessPath(pid, "status"), budget) {}

  std::uint64_t start_ticks;
  WaitRights rights;
  BudgetedFile io, status;
  std::map<std::int32_t, ThreadFiles> threads;

  /// Opens files for new threads and drops those of ended ones, whose numbers are returned.
  std::vector<std::int32_t> SetThreads(std::int32_t pid, const std::vector<std::int32_t>& tids,
                                       DescriptorBudget& budget);
  /// io, and of status and stat the faults and the memory.
  ProcessCounters Counters(Host host, const PidStat& stat);
};

}  // namespace gpuwhy
