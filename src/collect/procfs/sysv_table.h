// Who uses the System V semaphores and queues that the job waits on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/reading.h"
#include "capture/capture.h"
#include "os/host.h"

namespace gpuwhy {

/// /proc has no list of users. The kernel keeps the last process that operated on each semaphore,
/// that sent to a queue and that took from it: looked at again and again, those who come by are
/// found one after the other. An id means something in its own IPC namespace only.
class SysvTable {
 public:
  /// host must outlive the table.
  explicit SysvTable(Host host) : host_(host) {}

  /// Looks at a set or queue on which pid waits now. Missing: why its users can't be told.
  [[nodiscard]] Reading<bool> Look(std::int32_t pid, SysvKind kind, std::int32_t id);
  /// Each process once for each set or queue.
  [[nodiscard]] std::vector<SysvUser> TakeNew() { return std::exchange(new_, {}); }

 private:
  using Key = std::pair<SysvKind, std::int32_t>;
  struct Kept {
    Reading<bool> seen;
    MonoTime until;
  };

  /// Is pid in the tool's IPC namespace?
  [[nodiscard]] Reading<bool> SameNamespace(std::int32_t pid);
  [[nodiscard]] Reading<bool> LookAtSet(std::int32_t id);
  [[nodiscard]] Reading<bool> LookAtQueue(std::int32_t id);
  void Note(SysvKind kind, std::int32_t id, std::int32_t pid);

  Host host_;
  std::map<std::int32_t, Reading<bool>> same_namespace_;
  std::map<Key, Kept> kept_;
  std::map<std::int32_t, std::int32_t> semaphores_;  // of a set
  std::set<std::tuple<SysvKind, std::int32_t, std::int32_t>> known_;
  std::vector<SysvUser> new_;
};

}  // namespace gpuwhy
