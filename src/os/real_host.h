// The one place where a Host of real things is made.
#pragma once

#include <memory>
#include <string>

#include "os/host.h"

namespace gpuwhy {

/// Owns the edge to one machine. Must outlive every source made with Get(), also one whose worker
/// was given up: where the scheduler reports a stuck worker, leave this object alive to the end of
/// the process.
class HostEdge {
 public:
  /// root: "/" for this machine; else a folder with a recorded /proc, /sys, /etc. Process memory
  /// and IPC then refuse (ENOSYS): they could only speak of this machine.
  explicit HostEdge(const std::string& root);

  [[nodiscard]] Host Get() const { return {*files_, *clock_, *memory_, *ipc_}; }

 private:
  std::unique_ptr<FileTree> files_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<ProcessMemory> memory_;
  std::unique_ptr<KernelIpc> ipc_;
};

}  // namespace gpuwhy
