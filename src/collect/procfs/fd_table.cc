#include "collect/procfs/fd_table.h"

#include <fmt/format.h>

#include "collect/procfs/job_tree.h"
#include "collect/procfs/proc_paths.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostFds = 4096;
constexpr Nanos kTrust = std::chrono::seconds(1);
constexpr std::string_view kGpuDevice = "/dev/nvidia";

std::string FdPath(std::int32_t pid, std::string_view folder, std::int32_t fd) {
  return fmt::format("/proc/{}/{}/{}", pid, folder, fd);
}

}  // namespace

Reading<FdTable::Entry> FdTable::Look(std::int32_t pid, std::int32_t fd) {
  const MonoTime now = host_.clock.Now();
  std::map<std::int32_t, Known>& fds = known_[pid];
  const auto known = fds.find(fd);
  const bool fresh = known != fds.end() && now - known->second.at < kTrust;
  if (fresh && known->second.entry.kind != FdLinkKind::kFile) return known->second.entry;
  const Result<std::string> link = host_.files.ReadLink(FdPath(pid, "fd", fd));
  if (!link) return ToMissing(link.error());
  Entry entry;
  entry.ref.fd = fd;
  entry.ref.target = interner_.Intern(*link);
  if (fresh && known->second.entry.ref.target == entry.ref.target) return known->second.entry;
  const FdLink parsed = ParseFdLink(*link);
  entry.kind = parsed.kind;
  entry.ref.inode = parsed.inode;
  TakeInfo(pid, entry);
  if (link->compare(0, kGpuDevice.size(), kGpuDevice) == 0) gpu_.insert(pid);
  const bool changed = known == fds.end() || !(known->second.entry.ref == entry.ref);
  if (changed) {
    new_.push_back({now, pid, entry.ref});
    const bool has_far_end = entry.kind == FdLinkKind::kPipe || entry.kind == FdLinkKind::kSocket;
    surprise_ = surprise_ || (has_far_end && !refreshing_);
  }
  fds[fd] = Known{entry, now};
  return entry;
}

void FdTable::TakeInfo(std::int32_t pid, Entry& entry) {
  const Result<std::string> text = host_.files.Read(FdPath(pid, "fdinfo", entry.ref.fd));
  if (!text) return;  // the link alone still names the object
  FdInfo info = ParseFdInfo(*text);
  entry.ref.access = info.access;
  entry.ref.mount_id = info.mount_id;
  if (info.inode != 0) entry.ref.inode = info.inode;
  entry.ref.eventfd_id = info.eventfd_id;
  entry.ref.epoll_targets = std::move(info.epoll_targets);
}

Reading<bool> FdTable::Refresh(std::int32_t pid) {
  const std::string folder = ProcessPath(pid, "fd");
  if (const Result<std::vector<std::string>> names = host_.files.List(folder); !names)
    return ToMissing(names.error());
  std::vector<std::int32_t> numbers = ListNumbers(host_.files, folder);
  const bool all = numbers.size() <= kMostFds;
  if (!all) numbers.resize(kMostFds);
  refreshing_ = true;
  for (const std::int32_t fd : numbers) (void)Look(pid, fd);
  refreshing_ = false;
  const std::set<std::int32_t> open(numbers.begin(), numbers.end());
  std::erase_if(known_[pid], [&](const std::pair<const std::int32_t, Known>& known) {
    return !open.contains(known.first);
  });
  return all;
}

void FdTable::Forget(std::int32_t pid) {
  known_.erase(pid);
  gpu_.erase(pid);
}

std::set<std::uint64_t> FdTable::Sockets() const {
  std::set<std::uint64_t> inodes;
  for (const auto& [pid, fds] : known_) {
    for (const auto& [fd, known] : fds) {
      if (known.entry.kind == FdLinkKind::kSocket) inodes.insert(known.entry.ref.inode);
    }
  }
  return inodes;
}

}  // namespace gpuwhy
