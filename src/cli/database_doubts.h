// An SQLite file is read as it stands, without the changes that stand beside it, and without a
// lock: nobody who writes to it has to wait, and nothing is written.
#pragma once

#include <string>
#include <vector>

namespace gpuwhy {

/// What makes the content of the database at path doubtful, for people; empty: nothing does.
[[nodiscard]] std::vector<std::string> DatabaseDoubts(const std::string& path);

}  // namespace gpuwhy
