// Where the hierarchies of control groups are mounted, and the folder of a group in one of them.
#pragma once

#include <string>
#include <string_view>

#include "base/reading.h"
#include "os/file_tree.h"

namespace gpuwhy {

struct CgroupHierarchy {
  std::string mount_point;
  std::string root;  ///< which of its folders is the top of that mount
  bool unified = false;

  /// Folder of the group with this path (as in /proc/PID/cgroup); Missing{kNotPresent} where it
  /// lies outside of the mount.
  [[nodiscard]] Reading<std::string> Folder(std::string_view path) const;
};

struct CgroupHierarchies {
  Reading<CgroupHierarchy> cpu, accounting,
      io;  ///< the unified one where version 1 has none of its own
  Reading<CgroupHierarchy> unified;
  Reading<CgroupHierarchy> devices;  ///< version 1 only: version 2 has no files for it
};

/// From /proc/self/mountinfo.
[[nodiscard]] CgroupHierarchies FindCgroupHierarchies(FileTree& files);

}  // namespace gpuwhy
