#include "collect/procfs/namespace_table.h"

#include <utility>

#include "collect/procfs/mount_source.h"
#include "collect/procfs/proc_paths.h"

namespace gpuwhy {
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
  pids.reserve(first.size());
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
  for (Missing& m : AppendMounts(*text, path, pid, interner_, out)) missing.push_back(std::move(m));
  return true;
}

std::string NamespaceTable::LinkOf(std::int32_t pid, std::string_view name) {
  const Result<std::string> link = host_.files.ReadLink(ProcessPath(pid, name));
  return link ? *link : std::string{};
}

}  // namespace gpuwhy
