// Processes that storage never answers.
#pragma once

#include <cstdint>
#include <vector>

#include "derive/looks.h"
#include "derive/process_table.h"

namespace gpuwhy {

/// Blocked in storage in practically every look and never on a CPU. least: looks that are needed.
[[nodiscard]] bool HangsInStorage(const ProcessSums& sums, std::uint64_t least = 10);
/// Nothing wakes those that wait for a process that hangs in storage: lets those above it count as
/// starved nevertheless. hangs, members: by index of processes. True where that changed wakes.
bool WakeAbove(const ProcessTable& processes, const std::vector<bool>& hangs,
               const std::vector<bool>& members, std::vector<bool>& wakes);

}  // namespace gpuwhy
