#include "cli/seen_files.h"

#include <sys/stat.h>

namespace gpuwhy {

std::string SeenFiles::Add(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return "";
  const auto [known, added] = paths_.try_emplace({info.st_dev, info.st_ino}, path);
  return added ? "" : known->second;
}

}  // namespace gpuwhy
