// Descriptors of the job's processes, by link text and fdinfo alone: whatever follows the link
// hangs where the file system behind it hangs.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/reading.h"
#include "capture/interner.h"
#include "os/host.h"
#include "parse/procfs/pid_fd.h"

namespace gpuwhy {

class FdTable {
 public:
  /// host and interner must outlive the table.
  FdTable(Host host, Interner& interner) : host_(host), interner_(interner) {}

  struct Entry {
    FdRef ref;
    FdLinkKind kind = FdLinkKind::kOther;
  };

  /// What fd of pid is now. Pipes, sockets and anonymous descriptors are looked at anew after a
  /// second; the link of a file each time, because loaders open one file after the other under the
  /// same number.
  Reading<Entry> Look(std::int32_t pid, std::int32_t fd);
  /// Looks at all descriptors of pid (at most 4096), false where there are more. Missing: the
  /// folder may not be read.
  Reading<bool> Refresh(std::int32_t pid);
  void Forget(std::int32_t pid);

  /// What was seen for the first time, or under a number that meant something else, since the last
  /// call.
  [[nodiscard]] std::vector<FdSeen> TakeNew() { return std::exchange(new_, {}); }
  /// A wait showed a pipe or socket that no Refresh had seen: its other holder is worth a look.
  [[nodiscard]] bool TakeSurprise() { return std::exchange(surprise_, false); }
  /// Inodes of all sockets held.
  [[nodiscard]] std::set<std::uint64_t> Sockets() const;
  /// Whether pid holds a descriptor of an NVIDIA device.
  [[nodiscard]] bool HoldsGpu(std::int32_t pid) const { return gpu_.contains(pid); }

 private:
  struct Known {
    Entry entry;
    MonoTime at;
  };

  void TakeInfo(std::int32_t pid, Entry& entry);

  Host host_;
  Interner& interner_;
  std::map<std::int32_t, std::map<std::int32_t, Known>> known_;
  std::vector<FdSeen> new_;
  std::set<std::int32_t> gpu_;
  bool surprise_ = false;
  bool refreshing_ = false;
};

}  // namespace gpuwhy
