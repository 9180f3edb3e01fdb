// Input limits of the control groups that the job's processes are in, and what they have read under
// them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "capture/interner.h"
#include "collect/procfs/cgroup_hierarchy.h"
#include "os/host.h"
#include "parse/procfs/pid_cgroup.h"

namespace gpuwhy {

class CgroupIoReader {
 public:
  /// host and interner must outlive the reader.
  CgroupIoReader(Host host, Interner& interner, Reading<CgroupHierarchy> hierarchy);

  /// Remembers the group of one process, and those above it.
  void Add(const std::vector<CgroupLine>& lines);
  /// One sample for each device with a read limit, in each group that has one.
  void Look(Capture& out);

 private:
  void LookAt(const std::string& path, Capture& out);

  Host host_;
  Interner& interner_;
  Reading<CgroupHierarchy> hierarchy_;
  std::set<std::string> paths_;
};

}  // namespace gpuwhy
