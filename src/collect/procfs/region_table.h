// Shared mappings of the job's processes: the keys by which futexes in them are matched.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/reading.h"
#include "capture/interner.h"
#include "os/host.h"

namespace gpuwhy {

class RegionTable {
 public:
  /// host and interner must outlive the table.
  RegionTable(Host host, Interner& interner) : host_(host), interner_(interner) {}

  /// Reads maps of pid once. The value: whether the CUDA driver's library is mapped. It takes the
  /// process's mmap lock for reading, so that it is not repeated without need.
  Reading<bool> Refresh(std::int32_t pid);
  /// Whether address of pid lies in a shared mapping; maps is read again once for each page that
  /// is not known.
  Reading<bool> IsShared(std::int32_t pid, std::uint64_t address);
  /// Whether the last look at maps showed a library that trains or runs models.
  [[nodiscard]] bool MapsFramework(std::int32_t pid) const {
    const auto process = processes_.find(pid);
    return process != processes_.end() && process->second.framework;
  }
  void Forget(std::int32_t pid) { processes_.erase(pid); }

  /// Mappings seen for the first time since the last call.
  [[nodiscard]] std::vector<SharedRegion> TakeNew() { return std::exchange(new_, {}); }

 private:
  struct Process {
    std::map<std::uint64_t, SharedRegion> regions;  // by start
    std::set<std::uint64_t> private_pages;          // looked for and not found in a shared mapping
    bool framework = false;
  };

  static bool Holds(const Process& process, std::uint64_t address);

  Host host_;
  Interner& interner_;
  std::map<std::int32_t, Process> processes_;
  std::vector<SharedRegion> new_;
};

}  // namespace gpuwhy
