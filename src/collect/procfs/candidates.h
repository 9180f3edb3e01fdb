// Which trees of processes could be a job, where nobody named one: those that did something
// between two looks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/reading.h"
#include "os/file_tree.h"
#include "parse/procfs/pid_stat.h"

namespace gpuwhy {

/// One process in one look over all of /proc.
struct ScannedProcess {
  PidStat stat;
  std::uint64_t slices = 0;  ///< times that its threads were put on a CPU, all together
  std::uint64_t run_ns = 0;
  /// Its main thread is in state D, is stopped, or waits for a FUSE file system's answer.
  bool hangs = false;
  /// It maps libcuda or a framework, or holds a device of compute. Asked for only where a process
  /// alone would be no candidate: see MarkGpuUsers.
  bool uses_gpu = false;
};

/// All processes of user space, in rising order of pid. Of one with many threads only the first 64
/// are asked for their slices.
[[nodiscard]] std::vector<ScannedProcess> ScanProcesses(FileTree& files);

/// Why the scan can't hold all processes of this host: none is shown, /proc hides those of other
/// users (hidepid), or this is a PID namespace of its own (a container).
[[nodiscard]] std::optional<Missing> WhyNotAll(FileTree& files,
                                               const std::vector<ScannedProcess>& scan);

/// Asks those that have no parent and no child among the candidates, and were active between the
/// scans, whether they look like a job on a device. At most 64 are asked, the most active first.
void MarkGpuUsers(FileTree& files, const std::vector<ScannedProcess>& before,
                  std::vector<ScannedProcess>& after, std::int32_t tool);

struct Candidates {
  std::vector<std::int32_t> pids;      ///< members of all chosen trees, in rising order
  std::size_t trees = 0;               ///< chosen
  std::size_t left_out_processes = 0;  ///< active, but beyond the limit
};

/// Pure. A tree is what hangs together by parent and child after pid 1 (where it is an init), the
/// tool, the tool's forebears and other runs of the tool are taken out. Chosen are trees of two
/// processes and more, and single ones that use a device, in which somebody ran between the looks,
/// or hung at both (a job on a dead mount, or a stopped one, never runs); the most active first
/// until max_threads are reached. A tree that is larger than that
/// alone is taken apart at its root, where the root is a launcher of few threads; the most active
/// one is chosen even so.
[[nodiscard]] Candidates ChooseCandidates(const std::vector<ScannedProcess>& before,
                                          const std::vector<ScannedProcess>& after,
                                          std::int32_t tool, std::size_t max_threads);

}  // namespace gpuwhy
