#include "derive/mounts.h"

namespace gpuwhy {

MountTable::MountTable(const Capture& capture) : capture_(capture) {
  for (const Mount& mount : capture.mounts) {
    by_id_.try_emplace({mount.pid, mount.mount_id}, &mount);
    // Later lines lie over earlier ones at the same place.
    by_point_[{mount.pid, std::string_view(capture.Name(mount.mount_point))}] = &mount;
    if (!fallback_ || mount.pid == 0) fallback_ = mount.pid;
  }
}

std::int32_t MountTable::TableOf(std::int32_t pid) const {
  const auto own = by_point_.lower_bound({pid, std::string_view()});
  if (own != by_point_.end() && own->first.first == pid) return pid;
  return fallback_.value_or(0);
}

const Mount* MountTable::ByPath(std::int32_t table, std::string_view path) const {
  if (path.empty() || path.front() != '/') return nullptr;
  while (true) {
    const auto it = by_point_.find({table, path.empty() ? std::string_view("/") : path});
    if (it != by_point_.end()) return it->second;
    if (path.empty()) return nullptr;
    path = path.substr(0, path.rfind('/'));
  }
}

const std::string& MountTable::Path(const WaitDetail& detail) const {
  if (detail.path != kNoName) return capture_.Name(detail.path);
  for (const FdRef& ref : detail.fds) {
    const std::string& target = capture_.Name(ref.target);
    if (!target.empty() && target.front() == '/') return target;
  }
  return capture_.Name(kNoName);
}

const Mount* MountTable::Find(std::int32_t pid, const WaitDetail& detail) const {
  if (by_id_.empty()) return nullptr;
  const std::int32_t table = TableOf(pid);
  if (detail.path == kNoName) {
    for (const FdRef& ref : detail.fds) {
      if (ref.mount_id == 0) continue;
      const auto it = by_id_.find({table, ref.mount_id});
      if (it != by_id_.end()) return it->second;
    }
  }
  return ByPath(table, Path(detail));
}

}  // namespace gpuwhy
