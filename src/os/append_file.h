// A file that only grows: recordings and reports go through here.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace gpuwhy {

class AppendFile {
 public:
  virtual ~AppendFile() = default;

  /// Hands all bytes to the kernel, from where they survive the death of this process. After an
  /// error any part of them may stand in the file.
  [[nodiscard]] virtual Status Append(std::string_view bytes) = 0;
  /// Waits until the file is on its medium, and closes it. Nothing may be appended afterwards. A
  /// file that is destroyed without it is closed, but what failed then is not said.
  [[nodiscard]] virtual Status Close() = 0;
};

/// Creates path, for its owner alone, or empties what is there and keeps its mode. Error
/// without an errno: another AppendFile is open on it; ENXIO: a FIFO without a reader.
[[nodiscard]] Result<std::unique_ptr<AppendFile>> CreateAppendFile(const std::string& path);

}  // namespace gpuwhy
