// A folder on disk with the files of a machine, as --root would be given one, for tests.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "os/real_host.h"

namespace gpuwhy {

/// Removed with its content when it goes out of scope.
class RecordedRoot {
 public:
  RecordedRoot() : path_((std::filesystem::temp_directory_path() / "gpuwhy_root_XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  RecordedRoot(const RecordedRoot&) = delete;
  RecordedRoot& operator=(const RecordedRoot&) = delete;
  ~RecordedRoot() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  /// path: absolute, as the host sees it.
  void Set(const std::string& path, const std::string& content) const {
    std::ofstream(MakeRoomFor(path), std::ios::binary) << content;
  }
  void Link(const std::string& path, const std::string& target) const {
    std::filesystem::create_symlink(target, MakeRoomFor(path));
  }
  [[nodiscard]] HostEdge Edge() const { return HostEdge(path_); }

 private:
  [[nodiscard]] std::filesystem::path MakeRoomFor(const std::string& path) const {
    std::filesystem::path full = path_ + path;
    std::filesystem::create_directories(full.parent_path());
    return full;
  }
  std::string path_;
};

}  // namespace gpuwhy
