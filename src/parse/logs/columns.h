// Columns of tables that programs print.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gpuwhy {

/// Cells separated by two blanks or more, or by the tab that an editor made of them; at most `most`
/// and one.
[[nodiscard]] std::vector<std::string_view> ColumnsBetweenBlanks(std::string_view line,
                                                                 std::size_t most);

}  // namespace gpuwhy
