// Policy: every threshold that a rule uses, with its source, and what the site expects. Read from
// TOML (--policy).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gpuwhy {

/// Bytes. All keys with a comment each take a tenth of it.
inline constexpr std::size_t kLargestPolicy = std::size_t{64} << 10U;

struct RankingPolicy {
  double min_cost = 0.05;   ///< "slows" below this share of the step is not the answer
  double min_bound = 0.50;  ///< a limit is the answer only where it bounds half of the step
  double min_possible_cost =
      0.10;                   ///< "slows" whose high reaches this is offered with low confidence
  double explained = 0.70;    ///< a finding whose low is covered to this share is a consequence
  double device_idle = 0.10;  ///< over this share of idle a device fault may cost nothing
};

struct InputPolicy {
  double starved = 0.05;  ///< consumer waits at least this share before its loaders are looked at
  double metadata_part =
      0.50;  ///< opens and stats are at least this part of the storage wait: a metadata storm
  double computing =
      0.25;  ///< computing must be waited for at least this share to be called a limit
  double worker_busy = 0.80;    ///< a loader on a core at least this share of its time is saturated
  double io_limit_used = 0.90;  ///< share of a read limit from which it is full
  double wait_share = 0.05;     ///< a loader's storage wait under this share is not storage's fault
  double requests = 0.80;       ///< idle for requests at least this share: no demand
  double min_gain = 0.01;       ///< storage that could give back less at best is not named
  double names = 5;        ///< opens whose path was read before "many different files" is judged
  double distinct = 0.50;  ///< different files among those opens from which they are "many"
  double small_read = 262144;  ///< bytes: a mean read up to this size counts as reading small files
  double quiet_cores = 0.25;   ///< a job that computes more than this is not idle
};

struct CpuPolicy {
  double throttled_periods =
      0.10;  ///< share of quota periods with throttling under which the quota is not full
  double others = 0.25;  ///< cores used by others from which they can be what the loaders wait for
  double min_delay = 0.05;   ///< run delay per loader under this share is scheduling noise
  double clock_limit = 0.9;  ///< of a core's highest clock: settings that allow less hold it down
  double thread_pools = 2;   ///< threads of pools per core from which they flood the cores
};

struct TracePolicy {
  double share = 0.05;        ///< of the step from which one way of losing time is named
  double pageable = 0.01;     ///< of the step in pageable copies from which they are named
  double dominates = 0.25;    ///< of the step from which communication or a peer can be its limit
  double reformat = 0.25;     ///< of the step from which casts and copies are more than usual
  double small_grids = 0.50;  ///< of the kernels from which small ones are the rule
  double blocking = 0.95;     ///< of the launches that wait for their kernel: launches block
  double launches = 50;       ///< fewer launches of long kernels do not say whether they block
  double uneven = 0.10;       ///< more kernels than the median rank by this share: unequal work
};

/// The device: loads in percent, as the driver tells them.
struct GpuPolicy {
  double busy = 90;
  double idle = 5;
  double waiting_from = 10;
  double waiting_to = 50;
  double memory_busy = 70;
  double held_memory = 1024;
  double context_memory = 64;
  double held_share = 0.05;
  double low_power = 0.5;
  double hard_work = 0.8;
  double near_limit = 0.85;
  double at_limit = 0.97;
  double lowered = 0.95;
  double stuck_clock = 0.6;
  double thermal_margin = 5;
  double thermal_seconds = 10;
  double bar1_full = 0.97;
  double path_share = 0.95;
  double link_errors = 1;
  double dram_busy = 70;
  double slow_start = 5;
  double shared_load = 10;
};

/// What pasted outputs of host tools say. Figures of a whole host decide nothing about a job alone.
struct HostPolicy {
  double reports = 2;          ///< reports of now that a figure of the host must come from
  double steal = 0.10;         ///< of the CPU time, taken by the hypervisor in each report
  double kernel = 0.30;        ///< of the CPU time in the kernel from which it is worth a word
  double interrupts = 0.90;    ///< of one core's time: interrupts can't be served faster
  double swap_rate = 1 << 20;  ///< bytes per second back from swap: somebody waits for them
  double swap_used = 0.05;     ///< of the memory that lies in swap, worth a word
  double full = 0.99;          ///< share of a file system in use that counts as full
  double read_await = 0.020;   ///< seconds: a device whose reads take longer is slow
  double blocked = 0.50;   ///< of the looks in state D: the process waits there, not now and then
  double run_wait = 0.20;  ///< of a process's time ready but not running
  double busy = 0.90;      ///< of all CPU time from which the cores count as taken
  double idle = 0.30;      ///< of all CPU time from which cores count as free
  double thread_busy = 0.95;  ///< of a core: a thread or loader that can't do more
};

struct SloPolicy {
  std::optional<double> step_s;      ///< the step must not take longer
  std::optional<double> throughput;  ///< nor the rate be lower
};

struct Policy {
  RankingPolicy ranking;
  InputPolicy input;
  CpuPolicy cpu;
  TracePolicy trace;
  GpuPolicy gpu;
  HostPolicy host;
  SloPolicy slo;
};

/// Error: "path:line:column: ..." for broken TOML, an unknown key (a typo must not pass silently)
/// or a value out of range.
[[nodiscard]] Result<Policy> ParsePolicy(std::string_view toml, const std::string& path);

/// Every key that a policy may hold, as "section.key"; docs/policy.md has a row for each.
[[nodiscard]] std::vector<std::string> PolicyKeys();

}  // namespace gpuwhy
