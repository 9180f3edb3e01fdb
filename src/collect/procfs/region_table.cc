#include "collect/procfs/region_table.h"

#include <iterator>
#include <string>

#include "collect/procfs/proc_paths.h"
#include "parse/procfs/pid_maps.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMapsLimit = std::size_t{16} << 20U;  // about 150,000 mappings
constexpr unsigned kPageBits = 12;
// A job that waits on ever new private addresses must not have its maps read for each.
constexpr std::size_t kMostPrivatePages = 256;

bool SameObject(const SharedRegion& a, const SharedRegion& b) {
  return a.end == b.end && a.offset == b.offset && a.device == b.device && a.inode == b.inode;
}

}  // namespace

Reading<bool> RegionTable::Refresh(std::int32_t pid) {
  const Result<std::string> text = host_.files.Read(ProcessPath(pid, "maps"), kMapsLimit);
  if (!text) return ToMissing(text.error());
  const MonoTime now = host_.clock.Now();
  const PidMaps maps = ParsePidMaps(*text);
  std::map<std::uint64_t, SharedRegion> regions;
  Process& process = processes_[pid];
  for (const SharedMapping& m : maps.shared) {
    SharedRegion region{now,      pid,      m.start, m.end,
                        m.offset, m.device, m.inode, interner_.Intern(m.path)};
    const auto known = process.regions.find(m.start);
    if (known == process.regions.end() || !SameObject(known->second, region))
      new_.push_back(region);
    regions.emplace(m.start, region);
  }
  process.regions = std::move(regions);
  process.framework = maps.framework;
  return maps.cuda;
}

bool RegionTable::Holds(const Process& process, std::uint64_t address) {
  auto region = process.regions.upper_bound(address);
  if (region == process.regions.begin()) return false;
  region = std::prev(region);
  return address < region->second.end;
}

Reading<bool> RegionTable::IsShared(std::int32_t pid, std::uint64_t address) {
  if (Holds(processes_[pid], address)) return true;
  const std::uint64_t page = address >> kPageBits;
  if (processes_[pid].private_pages.contains(page)) return false;
  if (processes_[pid].private_pages.size() >= kMostPrivatePages)
    return Missing{Why::kNotSampled, ProcessPath(pid, "maps")};
  if (Reading<bool> read = Refresh(pid); !read) return read;
  Process& process = processes_[pid];
  if (Holds(process, address)) return true;
  process.private_pages.insert(page);
  return false;
}

}  // namespace gpuwhy
