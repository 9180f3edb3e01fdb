// Steps printed as the rows of a table: the names stand in its header alone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "parse/logs/line_numbers.h"

namespace gpuwhy {

/// Columns are separated by bars, tabs or two blanks. A table ends with the first line that has
/// other columns than its header.
class TableLines {
 public:
  /// A line without numbers: kept as the header, and true, where its columns name a count of steps
  /// and a time of one. The keys of rows before it are no longer good.
  bool Header(std::string_view line);
  /// Fills numbers with the cells of a row, each with its column's name as key. False, and numbers
  /// are as they were, where no table is open or the line is no row of it. The keys point into this
  /// object and are good until the next header.
  [[nodiscard]] bool Row(std::string_view line, std::vector<LineNumber>& numbers);

 private:
  std::vector<std::string> columns_;
  bool open_ = false;
};

}  // namespace gpuwhy
