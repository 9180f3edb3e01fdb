// Mounts and network namespaces of the job: each namespace is read through one process that is in
// it.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "capture/capture.h"
#include "capture/interner.h"
#include "os/host.h"

namespace gpuwhy {

class NamespaceTable {
 public:
  /// host and interner must outlive the table.
  NamespaceTable(Host host, Interner& interner) : host_(host), interner_(interner) {}

  /// Remembers pid's namespaces; the mounts of one that was not seen before are appended to out.
  /// Where the links may not be read all processes count as one namespace, which is wrong for a job
  /// that spans containers.
  void Add(std::int32_t pid, Capture& out, std::vector<Missing>& missing);
  void Forget(std::int32_t pid);
  /// One living process of each network namespace.
  [[nodiscard]] std::vector<std::int32_t> NetworkPids() const;

 private:
  // False where pid ended meanwhile.
  bool AddMounts(std::int32_t pid, Capture& out, std::vector<Missing>& missing);
  [[nodiscard]] std::string LinkOf(std::int32_t pid, std::string_view name);

  Host host_;
  Interner& interner_;
  std::set<std::string> mounts_read_;  // namespaces
  std::map<std::int32_t, std::string> network_of_;
};

}  // namespace gpuwhy
