// Process memory made of regions, for tests.
#pragma once

#include <algorithm>
#include <cerrno>
#include <map>
#include <string>
#include <utility>

#include "os/process_memory.h"

namespace gpuwhy {

/// Fill it before it is shared between threads.
class FakeProcessMemory final : public ProcessMemory {
 public:
  void Set(std::int32_t pid, std::uint64_t address, std::string bytes) {
    regions_[pid][address] = std::move(bytes);
  }
  /// Every read of pid fails with sys_errno.
  void Fail(std::int32_t pid, int sys_errno) { failures_[pid] = sys_errno; }

  Result<std::size_t> Read(std::int32_t pid, std::uint64_t address, std::span<char> out) override {
    const Error error{"cannot be read", "/proc/" + std::to_string(pid) + "/mem", ESRCH};
    if (const auto failure = failures_.find(pid); failure != failures_.end()) {
      return Error{error.message, error.where, failure->second};
    }
    const auto process = regions_.find(pid);
    if (process == regions_.end()) return error;
    auto region = process->second.upper_bound(address);
    if (region == process->second.begin()) return Error{error.message, error.where, EFAULT};
    --region;
    const std::uint64_t offset = address - region->first;
    const std::string& bytes = region->second;
    if (offset >= bytes.size()) return Error{error.message, error.where, EFAULT};
    const std::size_t length = std::min<std::size_t>(out.size(), bytes.size() - offset);
    std::copy_n(bytes.data() + offset, length, out.data());
    return length;
  }

 private:
  std::map<std::int32_t, std::map<std::uint64_t, std::string>> regions_;
  std::map<std::int32_t, int> failures_;
};

}  // namespace gpuwhy
