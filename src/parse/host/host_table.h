// What the tables of host tools have in common: stamps before a row, columns by their names in the
// header, numbers with a decimal comma.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/pasted_host.h"
#include "parse/paste/section.h"

namespace gpuwhy {

using Cells = std::vector<std::string_view>;

/// A column by its name; what is printed times scale is in the field's unit.
struct HostColumn {
  std::string_view name;
  HostField field;
  double scale = 1;
};
inline constexpr double kPercent = 0.01;
inline constexpr double kMilliseconds = 0.001;
inline constexpr double kKibi = 1024.0;
inline constexpr double kMebi = 1024.0 * 1024;

/// Rows of one output, at most: a hostile file must not make millions.
inline constexpr std::size_t kMostHostRows = 20'000;

/// "12.5", "12,5", "93%"; nullopt for anything else, negative numbers among it.
[[nodiscard]] std::optional<double> HostNumber(std::string_view cell);
/// "7.8G", "512Mi", "1024" with bytes per unit where no letter follows.
[[nodiscard]] std::optional<double> HostSize(std::string_view cell, double unit);

/// A row's clock time ("10:05:01 AM", "10:05:01", seconds since the epoch) or the word before a
/// mean ("Average:", in whatever language), and the cells after it.
struct StampedCells {
  std::string stamp;
  bool average = false;
  Cells cells;
};
[[nodiscard]] StampedCells WithoutStamp(std::string_view line);
/// Nothing in it but a date and a time.
[[nodiscard]] bool IsStampLine(std::string_view line);

/// Index of a name; cells.size() where it is not there.
[[nodiscard]] std::size_t IndexOf(const Cells& cells, std::string_view name);
[[nodiscard]] inline bool HasCell(const Cells& cells, std::string_view name) {
  return IndexOf(cells, name) < cells.size();
}

/// A row for line `at` of the section; the caller sets its name.
[[nodiscard]] HostRow StartHostRow(const Section& section, std::size_t at, HostTable table,
                                   std::string_view tool);
/// Adds every known column whose cell is a number. names and cells are aligned.
void AddColumns(const Cells& names, const Cells& cells, std::span<const HostColumn> columns,
                HostRow& row);

/// The words of the last command that was typed before line `at` and holds the tool's name; empty
/// where there is none.
[[nodiscard]] Cells CommandFor(const Section& section, std::size_t at, std::string_view tool);
/// Whether it asked for an interval ("mpstat -P ALL 5 1"): a number that is no option's argument.
[[nodiscard]] bool AsksForInterval(const Cells& command);

}  // namespace gpuwhy
