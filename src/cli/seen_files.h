// Files that are named twice: `trace a.json ./a.json` is one rank, not two.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace gpuwhy {

class SeenFiles {
 public:
  /// The path by which this regular file was added before; "" the first time, and for all that is
  /// no regular file.
  [[nodiscard]] std::string Add(const std::string& path);

 private:
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::string> paths_;  // by device and inode
};

}  // namespace gpuwhy
