// A /proc file that is read again and again through one descriptor and into one buffer.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "os/clock.h"
#include "os/file_tree.h"

namespace gpuwhy {

struct TimedText {
  std::string_view text;  ///< valid to the next read
  MonoTime at;            ///< middle of the read
};

class KeptFile {
 public:
  KeptFile(FileTree& files, Clock& clock, std::string path);

  [[nodiscard]] const std::string& Path() const { return path_; }
  /// Opens the file where it is not open. Error: errno; EFBIG beyond FileTree::kDefaultLimit. After
  /// an error the next read opens anew.
  [[nodiscard]] Result<TimedText> Read();

 private:
  FileTree& files_;
  Clock& clock_;
  std::string path_;
  std::unique_ptr<OpenFile> file_;
  std::string buffer_;
};

}  // namespace gpuwhy
