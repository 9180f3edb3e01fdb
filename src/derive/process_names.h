// Processes as a reader sees them.
#pragma once

#include <string>
#include <vector>

#include "derive/chain.h"

namespace gpuwhy {

/// "7 (python3)", printable whatever the process calls itself.
[[nodiscard]] std::string NameOf(const JobInWindow& job, std::size_t process);
/// The first eight, separated by commas, and how many more there are.
[[nodiscard]] std::string NamesOf(const JobInWindow& job,
                                  const std::vector<std::size_t>& processes);

}  // namespace gpuwhy
