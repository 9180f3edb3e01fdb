// Nsight Systems SQLite exports, schemas of 2021 to 2026. Opened read-only and immutable: no lock,
// no journal, no index.
#pragma once

#include <string>

#include "base/result.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

[[nodiscard]] bool IsSqlite(std::string_view head);
/// Error: not readable as SQLite, damaged, or without any CUDA activity table (says which tables it
/// has).
[[nodiscard]] Result<Timeline> ImportNsysSqlite(const std::string& path);

}  // namespace gpuwhy::trace
