#include "parse/logs/table_lines.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "parse/logs/columns.h"
#include "parse/logs/log_keys.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostColumns = 32;
constexpr std::size_t kLongestHeader = 512;
constexpr std::size_t kLongestName = 32;

std::vector<std::string_view> BetweenBars(std::string_view line) {
  line = Trim(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  std::vector<std::string_view> cells;
  while (!line.empty() && cells.size() <= kMostColumns) cells.push_back(Trim(NextToken(line, '|')));
  return cells;
}

std::vector<std::string_view> CellsOf(std::string_view line) {
  return Holds(line, "|") ? BetweenBars(line) : ColumnsBetweenBlanks(line, kMostColumns);
}

/// "time/s" and "time [s]" as the keys of other logs say it: "time (s)".
std::string NameOf(std::string_view cell) {
  for (const std::string_view unit : {"ms", "us", "s"}) {
    for (const std::string& end : {"/" + std::string(unit), "[" + std::string(unit) + "]"}) {
      if (!cell.ends_with(end)) continue;
      const std::string_view bare = Trim(cell.substr(0, cell.size() - end.size()));
      const LogRole role = MeaningOfKey(bare).role;
      // Others are rates: "tokens/s".
      if (role == LogRole::kStepTime || role == LogRole::kDataTime) {
        return std::string(bare) + " (" + std::string(unit) + ")";
      }
    }
  }
  return std::string(cell);
}

bool IsRule(std::string_view line) {
  return line.find_first_not_of("-+|=: \t") == std::string_view::npos;
}

}  // namespace

bool TableLines::Header(std::string_view line) {
  if (line.size() > kLongestHeader || IsRule(line)) return false;
  if (!Holds(line, "|") && !Holds(line, "  ") && !Holds(line, "\t")) return false;
  const std::vector<std::string_view> cells = CellsOf(line);
  if (cells.size() < 3 || cells.size() > kMostColumns) return false;
  std::vector<std::string> names;
  bool counted = false;
  bool timed = false;
  for (const std::string_view cell : cells) {
    if (cell.size() > kLongestName) return false;
    names.push_back(NameOf(cell));
    const LogRole role = MeaningOfKey(names.back()).role;
    counted |= role == LogRole::kStepIndex;
    timed |= role == LogRole::kStepTime || role == LogRole::kIterationTime;
  }
  if (!counted || !timed) return false;
  columns_ = std::move(names);
  open_ = true;
  return true;
}

bool TableLines::Row(std::string_view line, std::vector<LineNumber>& numbers) {
  if (!open_ || IsRule(line)) return false;
  std::vector<std::string_view> cells = CellsOf(line);
  // Right-aligned columns can be one blank apart.
  if (cells.size() != columns_.size() && !Holds(line, "|")) cells = Fields(line);
  std::vector<LineNumber> row;
  for (std::size_t i = 0; i < cells.size() && i < columns_.size(); ++i) {
    const std::optional<double> value = ParseDouble(cells[i]);
    if (!value) continue;
    LineNumber& number = row.emplace_back();
    number.value = *value;
    number.key = columns_[i];
  }
  // A word in one of the columns ("train") is no reason against it.
  if (cells.size() != columns_.size() || row.size() + 2 < columns_.size() || row.empty()) {
    open_ = false;
    return false;
  }
  numbers = std::move(row);
  return true;
}

}  // namespace gpuwhy
