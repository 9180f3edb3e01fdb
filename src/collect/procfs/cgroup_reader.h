// CPU bandwidth, pressure and input limits of the control groups that the job's processes are in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "capture/capture.h"
#include "capture/interner.h"
#include "collect/procfs/cgroup_hierarchy.h"
#include "collect/procfs/cgroup_io_reader.h"
#include "os/host.h"
#include "parse/procfs/pid_cgroup.h"

namespace gpuwhy {

class CgroupReader {
 public:
  /// Finds the hierarchies in /proc/self/mountinfo. host and interner must outlive the reader.
  CgroupReader(Host host, Interner& interner);

  /// Remembers the groups of one process (lines of its /proc/PID/cgroup).
  void Add(const std::vector<CgroupLine>& lines);
  /// One sample for each group that a process is in, and for each above it that has a quota; and
  /// the pressure of the groups. Appends to out.
  void Look(Capture& out);

 private:
  CgroupReader(Host host, Interner& interner, CgroupHierarchies found);
  [[nodiscard]] bool CpuIsUnified() const { return cpu_ && cpu_->unified; }
  void LookCpu(const std::string& path, bool own, Capture& out);
  void LookPressure(const std::string& path, Capture& out);
  [[nodiscard]] CpuQuota ReadQuota(const std::string& folder);
  [[nodiscard]] Reading<std::uint64_t> ReadUsage(const std::string& path,
                                                 const std::string& folder);

  Host host_;
  Interner& interner_;
  Reading<CgroupHierarchy> cpu_, accounting_, unified_;
  CgroupIoReader io_;
  std::map<std::string, bool> cpu_paths_;       // path in the CPU hierarchy -> a process is in it
  std::map<std::string, bool> pressure_paths_;  // in the unified one -> has such files
};

}  // namespace gpuwhy
