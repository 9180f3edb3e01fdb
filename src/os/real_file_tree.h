// Files of the machine, or of a recorded copy of one: every path, /proc and /sys too, lies under a
// root.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "os/file_tree.h"

namespace gpuwhy {

/// Holds no state but the root: safe for concurrent use. Nothing here blocks on a FIFO or a device:
/// what is not a regular file is refused (EINVAL; folders EISDIR). A file of a hung file system
/// does block, so such paths are opened only on a worker that may be given up.
class RealFileTree final : public FileTree {
 public:
  /// root: "/" for this machine. Symbolic links are followed where they point, also out of a root.
  explicit RealFileTree(std::string root);

  Result<std::string> Read(const std::string& path, std::size_t limit) override;
  Result<std::unique_ptr<OpenFile>> Open(const std::string& path) override;
  Result<std::vector<std::string>> List(const std::string& path) override;
  Result<std::string> ReadLink(const std::string& path) override;
  Result<MemorySpace> SpaceOf(const std::string& path) override;

 private:
  [[nodiscard]] std::string Under(const std::string& path) const;
  std::string root_;  // without a trailing '/'; empty: this machine
};

}  // namespace gpuwhy
