#include "derive/job_identity.h"

#include <algorithm>
#include <string>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

/// The unified hierarchy's, else the first of any other that is not the root of its hierarchy.
std::string CgroupOf(const Capture& capture, const ProcessSeen& process) {
  std::string found;
  for (const CgroupRef& ref : process.cgroups) {
    const std::string& path = capture.Name(ref.path);
    if (path.empty() || path == "/") continue;
    if (ref.controllers == kNoName) return path;
    if (found.empty()) found = path;
  }
  return found;
}

Reading<double> AgeOf(const Capture& capture, const ProcessSeen& process) {
  if (capture.clocks.empty() || capture.host.ticks_per_second == 0 || process.start_ticks == 0) {
    return Missing{Why::kNotSampled, "/proc/PID/stat"};
  }
  const ClockSample& pair = capture.clocks.front();
  const double now = Seconds(pair.boottime + (capture.run.started - pair.mono));
  const double started =
      static_cast<double>(process.start_ticks) / static_cast<double>(capture.host.ticks_per_second);
  // Started while it was watched, or a clock of another time namespace.
  if (started > now) return Missing{Why::kNotPresent, _("it started while it was watched")};
  return now - started;
}

}  // namespace

GpuSign GpuSignOf(const ProcessSeen& process) {
  if (process.maps_cuda) return GpuSign::kDevice;
  return process.maps_framework ? GpuSign::kFramework : GpuSign::kNone;
}

void IdentifyJob(const Capture& capture, const ProcessTable& processes, std::size_t root,
                 const std::vector<std::size_t>& tree, const std::vector<CpuUse>& uses,
                 JobFacts& job) {
  const ProcessSeen& first = processes.At(root);
  job.subject = {SubjectKind::kJob, std::to_string(first.pid)};
  job.command = capture.Name(first.command);
  job.root_pid = first.pid;
  job.working_folder = capture.Name(first.working_folder);
  job.cgroup = CgroupOf(capture, first);
  job.age_s = AgeOf(capture, first);
  job.processes = tree.size();
  job.threads = 0;
  job.gpu = GpuSign::kNone;
  job.cores = Missing{Why::kNotSampled, "/proc/PID/task/*/schedstat"};
  double cores = 0;
  for (const std::size_t member : tree) {
    job.threads += processes.At(member).threads;
    job.gpu = std::max(job.gpu, GpuSignOf(processes.At(member)));
    const Reading<double>& run = uses[member].run;
    // One that came or went meanwhile has no rate: what is told is what the others used.
    if (run) job.cores = cores += *run;
  }
}

}  // namespace gpuwhy
