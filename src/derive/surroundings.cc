#include "derive/surroundings.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "derive/fact_writer.h"

namespace gpuwhy {
namespace {

const Subject kShm{SubjectKind::kMount, "/dev/shm"};

class Writing {
 public:
  Writing(const Subject& job, FactSet& facts) : job_(job), facts_(facts) {}

  void Process(const ProcessSurroundings& process) {
    const Subject subject{SubjectKind::kProcess, std::to_string(process.pid)};
    for (const Setting& variable : process.variables)
      From(variable.path).Text(FactId::kJobVariable, subject, variable.value);
    const std::string folder = fmt::format("/proc/{}/", process.pid);
    if (process.gpu_files)
      From(folder + "root/dev").Text(FactId::kJobGpuFiles, job_, process.gpu_files);
    Allowed(folder, process.gpus_allowed);
    Number(FactId::kJobLockedLimit, process.locked_limit, folder + "limits");
    Number(FactId::kJobFilesLimit, process.files_limit, folder + "limits");
    if (!process.shm_size || !process.shm_used) return;
    FactWriter shm = From(folder + "root/dev/shm");
    shm.Counted(FactId::kMountSize, kShm, StatKind::kLast, process.shm_size);
    shm.Counted(FactId::kMountUsed, kShm, StatKind::kMax, process.shm_used);
  }

  /// Containers have a root that is laid over an image.
  void Container(const Capture& capture) {
    double driver_files = 0;
    std::string kind;
    for (const Mount& mount : capture.mounts) {
      if (mount.pid == 0) continue;  // the tool's own
      const std::string& point = capture.Name(mount.mount_point);
      const std::string& type = capture.Name(mount.fs_type);
      if (point == "/" && (Holds(type, "overlay") || type == "aufs")) kind = type;
      if (Holds(point, "libcuda.so") || Holds(point, "libnvidia-ml.so")) ++driver_files;
    }
    if (kind.empty()) return;
    FactWriter writer = From("/proc/PID/mountinfo");
    writer.Text(FactId::kJobContainer, job_, kind);
    writer.Counted(FactId::kJobDriverFiles, job_, StatKind::kLast, driver_files);
  }

 private:
  FactWriter From(const std::string& path) {
    return {facts_, facts_.window, {"surroundings", path, Origin::kRead}};
  }
  void Number(FactId id, const Reading<double>& value, const std::string& path) {
    if (value) From(path).Counted(id, job_, StatKind::kLast, value);
  }
  void Allowed(const std::string& folder, const Reading<bool>& allowed) {
    if (!allowed && allowed.missing().why == Why::kNotSampled) return;
    Fact fact;
    fact.id = FactId::kJobGpusAllowed;
    fact.subject = job_;
    fact.scope = facts_.window;
    fact.value =
        allowed ? Reading<FactValue>(FactValue(*allowed)) : Reading<FactValue>(allowed.missing());
    fact.provenance = {"surroundings", folder + "cgroup", Origin::kRead};
    facts_.Add(std::move(fact));
  }

  const Subject& job_;
  FactSet& facts_;
};

}  // namespace

void DeriveSurroundings(const Capture& capture, const Subject& job, FactSet& facts) {
  if (capture.inventory.processes.empty()) return;
  Writing writing(job, facts);
  for (const ProcessSurroundings& process : capture.inventory.processes) writing.Process(process);
  writing.Container(capture);
}

}  // namespace gpuwhy
