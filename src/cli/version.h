// Which build this is.
#pragma once

#include <string>

namespace gpuwhy {

/// "0.1.0", for JSON and recordings.
[[nodiscard]] std::string Version();
/// What --version prints: version, commit, optional parts.
[[nodiscard]] std::string VersionText();

}  // namespace gpuwhy
