#include "cli/catalogues.h"

#include <algorithm>
#include <filesystem>

namespace gpuwhy {
namespace {

namespace fs = std::filesystem;

}  // namespace

std::string CatalogueFolder() {
  std::error_code failed;
  const fs::path binary = fs::read_symlink("/proc/self/exe", failed);
  if (!failed) {
    const fs::path folder = binary.parent_path();
    for (const fs::path& candidate : {folder / "po", folder.parent_path() / "share" / "locale"}) {
      if (Languages(candidate.string()).size() > 1) return candidate.string();
    }
  }
  return GPUWHY_LOCALE_DIR;
}

std::vector<std::string> Languages(const std::string& folder) {
  std::vector<std::string> languages = {"en"};
  std::error_code failed;
  fs::directory_iterator entry(folder, failed);
  for (; !failed && entry != fs::directory_iterator(); entry.increment(failed)) {
    std::error_code absent;
    if (fs::exists(entry->path() / "LC_MESSAGES" / "gpuwhy.mo", absent)) {
      languages.push_back(entry->path().filename().string());
    }
  }
  std::sort(languages.begin(), languages.end());
  languages.erase(std::unique(languages.begin(), languages.end()), languages.end());
  return languages;
}

}  // namespace gpuwhy
