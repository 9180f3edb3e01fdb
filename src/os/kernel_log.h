// The edge to the kernel's log.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"

namespace gpuwhy {

class KernelLog {
 public:
  KernelLog() = default;
  KernelLog(const KernelLog&) = delete;
  KernelLog& operator=(const KernelLog&) = delete;
  virtual ~KernelLog() = default;

  /// The records of /dev/kmsg that came since the last call (first: all that are kept), as they are
  /// read there. Of more than limit bytes the oldest are left out. Error: EPERM where
  /// kernel.dmesg_restrict keeps them from this user.
  virtual Result<std::string> ReadNew(std::size_t limit) = 0;
};

/// Only reads, and never waits. To be used from one thread.
[[nodiscard]] std::unique_ptr<KernelLog> MakeRealKernelLog();

}  // namespace gpuwhy
