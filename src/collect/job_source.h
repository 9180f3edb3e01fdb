// The job's process tree, or all candidates while the job is not known yet: who waits in what, and
// exact CPU counters.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "capture/interner.h"
#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

struct JobSourceOptions {
  std::int32_t pid = 0;  ///< --pid; 0: look at every tree that could be a job
  Nanos period = std::chrono::milliseconds(50);  ///< aim; slows down to keep the budget
  double cpu_budget = 0.008;  ///< share of one core that looking may take, on average
};

/// Told from outside (after discovery) which tree to go on with; shared with the source.
struct JobFocus {
  std::atomic<std::int32_t> pid{0};
};

/// host and interner must outlive the source, also when its worker was given up.
[[nodiscard]] std::unique_ptr<Source> MakeJobSource(Host host, Interner& interner,
                                                    const JobSourceOptions& options,
                                                    std::shared_ptr<JobFocus> focus);

}  // namespace gpuwhy
