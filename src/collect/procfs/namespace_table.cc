#include "collect/procfs/namespace_table.h"

#include <utility>

#include "collect/procfs/proc_paths.h"
#include "parse/procfs/mountinfo.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostMounts = 20'000;  // of one namespace

}  // namespace

void NamespaceTable::Add(std::int32_t pid, Capture& out, std::vector<Missing>& missing) {
  network_of_[pid] = LinkOf(pid, "ns/net");
  const std::string mounts = LinkOf(pid, "ns/mnt");
  if (!mounts_read_.contains(mounts) && AddMounts(pid, out, missing)) mounts_read_.insert(mounts);
}

void NamespaceTable::Forget(std::int32_t pid) { network_of_.erase(pid); }

std::vector<std::int32_t> NamespaceTable::NetworkPids() const {
  std::map<std::string, std::int32_t> first;
  for (const auto& [pid, network] : network_of_) first.emplace(network, pid);
  std::vector<std::int32_t> pids;
  for (const auto& [network, pid] : first) pids.push_back(pid);
  return pids;
}

bool NamespaceTable::AddMounts(std::int32_t pid, Capture& out, std::vector<Missing>& missing) {
  const std::string path = ProcessPath(pid, "mountinfo");
  const Result<std::string> text = host_.files.Read(path);
  if (!text) {
    const Missing why = ToMissing(text.error());
    if (why.why != Why::kNotPresent) missing.push_back(why);  // it ended; another will show them
    return false;
  }
  const Result<Mountinfo> info = ParseMountinfo(*text);
  if (!info) {
    missing.push_back({Why::kFailed, info.error().Text()});
    return true;
  }
  std::size_t count = 0;
  for (const MountLine& line : info->mounts) {
    if (++count > kMostMounts) break;
    Mount mount;
    mount.pid = pid;
    mount.mount_id = line.mount_id;
    mount.parent_id = line.parent_id;
    mount.device = line.device;
    mount.root = interner_.Intern(line.root);
    mount.mount_point = interner_.Intern(line.mount_point);
    mount.fs_type = interner_.Intern(line.fs_type);
    mount.source = interner_.Intern(HideSecretsOfSource(line.source));
    mount.options = interner_.Intern(HideSecretOptions(line.options + "," + line.super_options));
    out.mounts.push_back(mount);
  }
  return true;
}

std::string NamespaceTable::LinkOf(std::int32_t pid, std::string_view name) {
  const Result<std::string> link = host_.files.ReadLink(ProcessPath(pid, name));
  return link ? *link : std::string{};
}

}  // namespace gpuwhy
