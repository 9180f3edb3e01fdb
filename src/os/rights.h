// The rights at hand, which decide what of other processes can be seen.
#pragma once

#include <cstdint>

#include "base/reading.h"
#include "os/file_tree.h"

namespace gpuwhy {

struct Rights {
  Reading<std::uint32_t> uid;  ///< effective, of the tool
  /// CAP_SYS_PTRACE is effective. In a user namespace it holds only over processes of that
  /// namespace, so that a read may still be refused.
  Reading<bool> ptrace;
  /// Yama: 0 classic, 1 only descendants, 2 only with CAP_SYS_PTRACE, 3 nobody. kNotPresent where
  /// it is not built in, which is as permissive as 0.
  Reading<std::uint32_t> ptrace_scope;
};

/// Reads /proc/self/status and /proc/sys/kernel/yama/ptrace_scope.
[[nodiscard]] Rights ReadRights(FileTree& files);

}  // namespace gpuwhy
