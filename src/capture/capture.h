// Capture: all that one run saw, raw. From here on nothing touches the machine: live, replayed and
// pasted data take the same way through derive/, diagnose/ and report/.
#pragma once

#include <string>
#include <vector>

#include "capture/device_samples.h"
#include "capture/inventory.h"
#include "capture/pasted.h"
#include "capture/samples.h"

namespace gpuwhy {

/// What was asked for and by which build.
struct RunInfo {
  std::string tool_version;
  std::int32_t job_pid = 0;    ///< --pid; 0: to be found
  std::int32_t focus_pid = 0;  ///< the job that was looked at after discovery; 0: none was chosen
  MonoTime started, focused,
      ended;  ///< focused: when looking at all candidates ended; equal to started with --pid
  Nanos started_realtime{0};            ///< since the epoch
  std::uint32_t uid = 0;                ///< effective, of the tool
  bool ptrace = false;                  ///< CAP_SYS_PTRACE at hand
  Reading<std::uint32_t> ptrace_scope;  ///< Yama; Missing{kNotPresent} where it is not built in
  Nanos tool_cpu{0};                    ///< CPU time of the whole tool over the window
  std::uint64_t peak_rss_kib = 0;
  std::string policy_toml;  ///< the policy file's text; empty: defaults
  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

struct Capture {
  Capture() : names(1), details(1) {}

  RunInfo run;
  HostInfo host;
  std::vector<ClockSample> clocks;
  std::vector<std::string> names;   ///< [0] = ""
  std::vector<WaitDetail> details;  ///< [0] = nothing known
  std::vector<CpuSample> cpu;
  std::vector<PsiSample> psi;
  std::vector<BlockSample> block;
  std::vector<Mount> mounts;
  std::vector<ProcessSeen> processes;
  std::vector<ThreadCounters> thread_counters;
  std::vector<ProcessCounters> process_counters;
  std::vector<ThreadSample> thread_samples;
  std::vector<FdSeen> fds;
  std::vector<SharedRegion> regions;
  std::vector<SocketSeen> sockets;
  std::vector<CgroupCpuSample> cgroup_cpu;
  std::vector<CgroupIoSample> cgroup_io;
  std::vector<BlockLayer> block_layers;
  std::vector<SysvUser> sysv_users;
  std::vector<DeviceSeen> devices;
  std::vector<DeviceValue> device_values;
  std::vector<DeviceProcess> device_processes;
  std::vector<DeviceMessage> device_messages;
  std::vector<FileText> file_texts;
  std::vector<KernelLine> kernel_lines;
  std::vector<SourceReport> sources;
  Inventory inventory;  ///< read from file_texts; not in recordings
  Pasted pasted;        ///< what --from read of other tools' outputs; not in recordings

  [[nodiscard]] const std::string& Name(NameId id) const {
    return names[id < names.size() ? id : 0];
  }
  friend bool operator==(const Capture&, const Capture&) = default;
};

/// Appends the sample vectors of more to capture (names and details are shared through one
/// Interner, run, host and names of more are not looked at). more is left empty.
void AppendSamples(Capture& capture, Capture&& more);

}  // namespace gpuwhy
