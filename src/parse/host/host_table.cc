#include "parse/host/host_table.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kLongestQuote = 400;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

/// "10:05:01", with a fraction or not.
bool IsClock(std::string_view cell) {
  if (cell.size() < 7 || cell.size() > 15) return false;
  const auto colons = std::count(cell.begin(), cell.end(), ':');
  return colons == 2 && IsDigit(cell.front()) && IsDigit(cell.back()) &&
         cell.find_first_not_of("0123456789:.,") == std::string_view::npos;
}

bool IsHalfOfDay(std::string_view cell) {
  return cell == "AM" || cell == "PM" || cell == "am" || cell == "pm";
}

/// Seconds since the epoch, of this century.
bool IsEpoch(std::string_view cell) {
  return cell.size() == 10 && cell.front() == '1' && std::all_of(cell.begin(), cell.end(), IsDigit);
}

/// "2026-01-31", "01/31/26", "31.01.2026".
bool IsDate(std::string_view cell) {
  return cell.size() >= 8 && cell.size() <= 10 && IsDigit(cell.front()) &&
         cell.find_first_not_of("0123456789/-.") == std::string_view::npos &&
         cell.find_first_of("/-.") != std::string_view::npos;
}

}  // namespace

std::optional<double> HostNumber(std::string_view cell) {
  constexpr std::size_t kLongest = 32;
  if (!cell.empty() && cell.back() == '%') cell.remove_suffix(1);
  if (cell.empty() || cell.size() > kLongest || !IsDigit(cell.front())) return std::nullopt;
  if (cell.find_first_not_of("0123456789.,") != std::string_view::npos) return std::nullopt;
  const std::size_t comma = cell.find(',');
  if (comma == std::string_view::npos) return ParseDouble(cell);
  // None of these tools groups thousands: a comma is the decimal point of the locale.
  std::string plain(cell);
  plain[comma] = '.';
  return ParseDouble(plain);
}

std::optional<double> HostSize(std::string_view cell, double unit) {
  constexpr std::string_view kLetters = "KMGTPE";
  std::string_view digits = cell;
  if (digits.ends_with("iB")) digits.remove_suffix(2);
  if (digits.size() > 2 && digits.back() == 'i') digits.remove_suffix(1);
  if (digits.size() > 1 && digits.back() == 'B') digits.remove_suffix(1);
  if (digits.empty()) return std::nullopt;
  const char last = digits.back() == 'k' ? 'K' : digits.back();
  const std::size_t letter = kLetters.find(last);
  if (letter != std::string_view::npos) {
    digits.remove_suffix(1);
    unit = 1;
    for (std::size_t i = 0; i <= letter; ++i) unit *= kKibi;
  }
  const std::optional<double> number = HostNumber(digits);
  if (!number) return std::nullopt;
  return *number * unit;
}

StampedCells WithoutStamp(std::string_view line) {
  StampedCells stamped;
  stamped.cells = Fields(line);
  Cells& cells = stamped.cells;
  if (!cells.empty() && cells[0] == "#") cells.erase(cells.begin());
  if (cells.size() > 1 && IsDate(cells[0]) && IsClock(cells[1])) cells.erase(cells.begin());
  std::size_t drop = 0;
  if (cells.size() > 1 && (IsClock(cells[0]) || IsEpoch(cells[0]))) {
    drop = IsHalfOfDay(cells[1]) ? 2 : 1;
  } else if (cells.size() > 2 && cells[0].ends_with(':') && cells[0].size() > 4) {
    stamped.average = true;
    drop = 1;
  } else if (cells.size() > 3 && cells[1] == ":" && cells[0].size() > 3) {  // "Moyenne :"
    stamped.average = true;
    drop = 2;
  }
  for (std::size_t i = 0; i < drop; ++i) stamped.stamp += std::string(cells[i]) + " ";
  cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(drop));
  return stamped;
}

bool IsStampLine(std::string_view line) {
  const Cells cells = Fields(line);
  return !cells.empty() && cells.size() <= 3 &&
         std::all_of(cells.begin(), cells.end(), [](std::string_view cell) {
           return IsClock(cell) || IsHalfOfDay(cell) || IsDate(cell) || IsEpoch(cell) ||
                  (cell.size() > 18 && IsDate(cell.substr(0, 10)));
         });
}

std::size_t IndexOf(const Cells& cells, std::string_view name) {
  return static_cast<std::size_t>(std::find(cells.begin(), cells.end(), name) - cells.begin());
}

HostRow StartHostRow(const Section& section, std::size_t at, HostTable table,
                     std::string_view tool) {
  HostRow row;
  row.table = table;
  row.tool = std::string(tool);
  row.file = section.Name();
  row.line = section.Number(at);
  row.text = std::string(Trim(section[at]).substr(0, kLongestQuote));
  return row;
}

void AddColumns(const Cells& names, const Cells& cells, std::span<const HostColumn> columns,
                HostRow& row) {
  for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) {
    const auto known = std::find_if(columns.begin(), columns.end(), [&](const HostColumn& column) {
      return column.name == names[i];
    });
    if (known == columns.end()) continue;
    if (const std::optional<double> number = HostNumber(cells[i]))
      row.Set(known->field, *number * known->scale);
  }
}

Cells CommandFor(const Section& section, std::size_t at, std::string_view tool) {
  const std::vector<PromptSeen>& prompts = section.Prompts();
  for (std::size_t i = prompts.size(); i > 0; --i) {
    const PromptSeen& prompt = prompts[i - 1];
    if (prompt.line < at) return Holds(prompt.command, tool) ? Fields(prompt.command) : Cells{};
  }
  return {};
}

bool AsksForInterval(const Cells& command) {
  constexpr std::array<std::string_view, 8> kWithArgument = {"-P", "-p", "-N", "-I",
                                                             "-o", "-g", "-j", "-S"};
  for (std::size_t i = 1; i < command.size(); ++i) {
    if (command[i] == "|" || command[i] == ">") return false;
    const bool argument = std::find(kWithArgument.begin(), kWithArgument.end(), command[i - 1]) !=
                          kWithArgument.end();
    if (!argument && HostNumber(command[i])) return true;
  }
  return false;
}

}  // namespace gpuwhy
