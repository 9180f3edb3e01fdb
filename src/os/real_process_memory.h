// Memory of this machine's processes.
#pragma once

#include "os/process_memory.h"

namespace gpuwhy {

/// Stateless: safe for concurrent use. A page that is not in memory is faulted in, and so blocks on
/// the file system behind it.
class RealProcessMemory final : public ProcessMemory {
 public:
  Result<std::size_t> Read(std::int32_t pid, std::uint64_t address, std::span<char> out) override;
};

}  // namespace gpuwhy
