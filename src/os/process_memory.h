// The edge to another process's memory (process_vm_readv): needs ptrace attach rights over it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace gpuwhy {

class ProcessMemory {
 public:
  ProcessMemory() = default;
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;
  virtual ~ProcessMemory() = default;

  /// Reads up to out.size() bytes at address of process pid; returns how many. A short read is no
  /// error (a string may end at the last byte of a mapping). Error: EPERM, ESRCH, EFAULT.
  virtual Result<std::size_t> Read(std::int32_t pid, std::uint64_t address,
                                   std::span<char> out) = 0;
};

}  // namespace gpuwhy
