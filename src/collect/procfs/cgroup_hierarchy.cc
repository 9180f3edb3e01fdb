#include "collect/procfs/cgroup_hierarchy.h"

#include <array>

#include "base/text.h"
#include "parse/procfs/mountinfo.h"

namespace gpuwhy {
namespace {

bool HasOption(std::string_view options, std::string_view wanted) {
  while (!options.empty()) {
    if (NextToken(options, ',') == wanted) return true;
  }
  return false;
}

}  // namespace

// A container sees its own group as the top of the mount, while /proc/PID/cgroup may still give the
// path from the machine's top.
Reading<std::string> CgroupHierarchy::Folder(std::string_view path) const {
  std::string_view below = path;
  if (root != "/") {
    if (path.substr(0, root.size()) != root) return {Why::kNotPresent, std::string(path)};
    below.remove_prefix(root.size());
  }
  if (below == "/") below = {};
  // "/pods/ab" only starts as "/pods/a" does.
  if (!below.empty() && below.front() != '/') return {Why::kNotPresent, std::string(path)};
  // "/../x": outside of what this namespace may see.
  if (below.find("/..") != std::string_view::npos) return {Why::kNotPresent, std::string(path)};
  return mount_point + std::string(below);
}

CgroupHierarchies FindCgroupHierarchies(FileTree& files) {
  const Missing none{Why::kNotPresent, "cgroup"};
  CgroupHierarchies found{none, none, none, none, none};
  const std::array wanted = {std::pair{"cpu", &found.cpu}, std::pair{"cpuacct", &found.accounting},
                             std::pair{"blkio", &found.io}, std::pair{"devices", &found.devices}};
  const Result<std::string> text = files.Read("/proc/self/mountinfo");
  if (!text) {
    const Missing why = ToMissing(text.error());
    return {why, why, why, why, why};
  }
  const Result<Mountinfo> info = ParseMountinfo(*text);
  if (!info) return found;
  for (const MountLine& mount : info->mounts) {
    if (mount.fs_type == "cgroup2" && !found.unified) {
      found.unified = CgroupHierarchy{mount.mount_point, mount.root, true};
    }
    if (mount.fs_type != "cgroup") continue;
    for (const auto& [controller, hierarchy] : wanted) {
      if (HasOption(mount.super_options, controller) && !*hierarchy) {
        *hierarchy = CgroupHierarchy{mount.mount_point, mount.root, false};
      }
    }
  }
  if (!found.cpu) found.cpu = found.unified;
  if (!found.io) found.io = found.unified;
  return found;
}

}  // namespace gpuwhy
