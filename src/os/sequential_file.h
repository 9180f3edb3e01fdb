// The edge to one large file that is read once, from its start to its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/result.h"

namespace gpuwhy {

class SequentialFile {
 public:
  SequentialFile() = default;
  SequentialFile(const SequentialFile&) = delete;
  SequentialFile& operator=(const SequentialFile&) = delete;
  virtual ~SequentialFile() = default;
  /// Fills the front of buffer; returns how many bytes, 0 at the end. Error: errno.
  virtual Result<std::size_t> Read(std::span<char> buffer) = 0;
};

/// A regular file, a pipe or a FIFO; never a folder or a device. Error: errno.
[[nodiscard]] Result<std::unique_ptr<SequentialFile>> OpenSequentialFile(const std::string& path);

}  // namespace gpuwhy
