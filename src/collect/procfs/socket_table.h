// The sockets that the job's processes hold, with their far ends on this host.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "base/reading.h"
#include "capture/interner.h"
#include "os/host.h"
#include "parse/procfs/net_sockets.h"

namespace gpuwhy {

class SocketTable {
 public:
  /// host and interner must outlive the table.
  SocketTable(Host host, Interner& interner) : host_(host), interner_(interner) {}

  /// Looks up the sockets with these inodes; pids: one process of each network namespace in
  /// question. Returns those that are new or whose far end changed since the last call. What could
  /// not be read is appended to missing.
  std::vector<SocketSeen> Refresh(const std::set<std::uint64_t>& inodes,
                                  const std::vector<std::int32_t>& pids,
                                  std::vector<Missing>& missing);

 private:
  void AddUnix(const std::set<std::uint64_t>& inodes, std::vector<SocketSeen>& out,
               std::vector<Missing>& missing);
  void AddNet(const std::set<std::uint64_t>& inodes, std::int32_t pid, SocketKind kind,
              std::vector<SocketSeen>& out, std::vector<Missing>& missing);
  void Emit(const SocketSeen& seen, std::vector<SocketSeen>& out);

  Host host_;
  Interner& interner_;
  std::map<std::uint64_t, SocketSeen> known_;
};

}  // namespace gpuwhy
