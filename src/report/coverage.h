// The table of what this build delivers, for people and for programs.
#pragma once

#include <string>

namespace gpuwhy {

/// One line a finding, ended, and the sums below.
[[nodiscard]] std::string CoverageText();
/// Schema gpuwhy.coverage/1.
[[nodiscard]] std::string CoverageJson();

}  // namespace gpuwhy
