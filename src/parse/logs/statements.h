// Messages whose words alone say what is wrong, found anywhere in a text.
#pragma once

#include <string_view>
#include <vector>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// In the order of the enumeration; at most one entry a statement. Memory does not grow with the
/// text.
[[nodiscard]] std::vector<StatementSeen> FindStatements(std::string_view text);

}  // namespace gpuwhy
