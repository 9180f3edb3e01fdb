// What tells one job from another for a person: where it runs, since when, how much CPU it takes.
#pragma once

#include <vector>

#include "derive/counters.h"
#include "derive/process_table.h"
#include "facts/fact_set.h"

namespace gpuwhy {

[[nodiscard]] GpuSign GpuSignOf(const ProcessSeen& process);

/// Fills in subject, command, root_pid, processes, threads, working_folder, cgroup, age_s, cores
/// and gpu of the job that is `tree` below `root`. No argument list: it may hold secrets.
/// uses: by index of processes.
void IdentifyJob(const Capture& capture, const ProcessTable& processes, std::size_t root,
                 const std::vector<std::size_t>& tree, const std::vector<CpuUse>& uses,
                 JobFacts& job);

}  // namespace gpuwhy
