#include "parse/logs/columns.h"

#include <algorithm>

namespace gpuwhy {

std::vector<std::string_view> ColumnsBetweenBlanks(std::string_view line, std::size_t most) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string_view> cells;
  std::size_t at = 0;
  while (cells.size() <= most &&
         (at = line.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    const std::size_t end = std::min({line.find("  ", at), line.find('\t', at), line.size()});
    cells.push_back(line.substr(at, end - at));
    at = end;
  }
  return cells;
}

}  // namespace gpuwhy
