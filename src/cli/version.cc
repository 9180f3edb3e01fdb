#include "cli/version.h"

#include "base/i18n.h"
#include "git_commit.h"  // written at build time by cmake/git_commit.cmake

namespace gpuwhy {

std::string Version() { return GPUWHY_VERSION; }

std::string VersionText() {
  return Format(_("gpuwhy {} (commit {})\noptional parts: none\n"), GPUWHY_VERSION, kGitCommit);
}

}  // namespace gpuwhy
