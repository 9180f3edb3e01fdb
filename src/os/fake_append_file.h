// An AppendFile in memory, with a disk that may be full.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "os/append_file.h"

namespace gpuwhy {

class FakeAppendFile : public AppendFile {
 public:
  /// capacity: what fits before ENOSPC; a write that does not fit leaves what does.
  explicit FakeAppendFile(std::size_t capacity = std::numeric_limits<std::size_t>::max())
      : capacity_(capacity) {}

  [[nodiscard]] Status Append(std::string_view bytes) override {
    if (closed_) return Error{"fake file is closed", "fake", EBADF};
    const std::size_t fits = std::min(bytes.size(), capacity_ - bytes_.size());
    bytes_ += bytes.substr(0, fits);
    if (fits < bytes.size()) return Error{"fake file is full", "fake", ENOSPC};
    return Done{};
  }
  [[nodiscard]] Status Close() override {
    closed_ = true;
    return Done{};
  }

  [[nodiscard]] const std::string& Bytes() const { return bytes_; }
  [[nodiscard]] bool Closed() const { return closed_; }

 private:
  std::size_t capacity_;
  std::string bytes_;
  bool closed_ = false;
};

}  // namespace gpuwhy
