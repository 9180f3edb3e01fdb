// The processes of a capture as a forest. One entry a pid: the first that was seen with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "capture/capture.h"

namespace gpuwhy {

inline constexpr std::size_t kNoProcess = static_cast<std::size_t>(-1);
/// A damaged recording may hold a cycle of parents: nobody looks further up than this.
inline constexpr int kMaxGenerations = 256;

/// Refers to the capture, which must outlive it. Entries are in order of pid.
class ProcessTable {
 public:
  explicit ProcessTable(const Capture& capture);

  [[nodiscard]] std::size_t size() const { return processes_.size(); }
  [[nodiscard]] const ProcessSeen& At(std::size_t index) const { return *processes_[index]; }
  [[nodiscard]] std::int32_t Pid(std::size_t index) const { return processes_[index]->pid; }
  [[nodiscard]] std::optional<std::size_t> Index(std::int32_t pid) const;
  /// kNoProcess where the parent was not captured.
  [[nodiscard]] std::size_t Parent(std::size_t index) const { return parents_[index]; }
  /// Is `ancestor` above `index`? Not of itself. Looks at most kMaxGenerations up.
  [[nodiscard]] bool IsAncestor(std::size_t ancestor, std::size_t index) const;
  /// The lowest process that is `a` or above it, and `b` or above it; kNoProcess for none, and
  /// where that would be pid 1 (every process hangs there: it says nothing).
  [[nodiscard]] std::size_t CommonAncestor(std::size_t a, std::size_t b) const;
  /// root and all below it, in order of index.
  [[nodiscard]] std::vector<std::size_t> Tree(std::size_t root) const;

 private:
  std::vector<const ProcessSeen*> processes_;
  std::unordered_map<std::int32_t, std::size_t> by_pid_;
  std::vector<std::size_t> parents_;
  std::vector<std::vector<std::size_t>> children_;
};

}  // namespace gpuwhy
