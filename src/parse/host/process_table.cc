#include "parse/host/process_table.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::size_t kLongestCommand = 200;
constexpr std::array<HostColumn, 12> kNumbers = {{{"PPID", F::kParent},
                                                  {"TID", F::kThread},
                                                  {"LWP", F::kThread},
                                                  {"SPID", F::kThread},
                                                  {"%CPU", F::kCores, kPercent},
                                                  {"C", F::kCores, kPercent},
                                                  {"PSR", F::kLastCpu},
                                                  {"P", F::kLastCpu},
                                                  {"NLWP", F::kThreads},
                                                  {"nTH", F::kThreads},
                                                  {"THCNT", F::kThreads},
                                                  {"nMaj", F::kMajorFaults}}};

bool IsCommandName(std::string_view name) {
  return name == "COMMAND" || name == "CMD" || name == "Command";
}

/// ps -o lstart prints five words under one name.
void JoinLongStart(const Cells& names, Cells& cells) {
  const std::size_t at = IndexOf(names, "STARTED");
  if (at >= names.size() || at + 4 >= cells.size()) return;
  const std::string_view day = cells[at];
  const bool weekday = day.size() == 3 && std::isalpha(static_cast<unsigned char>(day[0])) != 0;
  if (!weekday) return;
  const auto second = cells.begin() + static_cast<std::ptrdiff_t>(at) + 1;
  cells.erase(second, second + 4);
}

/// From the cell to the end of its line.
std::string_view RestFrom(std::string_view line, std::string_view cell) {
  return line.substr(static_cast<std::size_t>(cell.data() - line.data()));
}

bool IsState(std::string_view cell) {
  return !cell.empty() && cell.size() <= 6 &&
         std::string_view("DRSTtZXxKWPIM").find(cell[0]) != std::string_view::npos;
}

void AddWords(const Cells& names, const Cells& cells, std::string_view line, HostRow& row) {
  for (std::size_t i = 0; i < names.size() && i < cells.size(); ++i) {
    const std::string_view name = names[i];
    if ((name == "S" || name == "STAT") && IsState(cells[i]))
      row.Set(F::kState, std::string(cells[i]));
    if (name == "WCHAN" && cells[i] != "-" && cells[i] != "0")
      row.Set(F::kKernelWait, std::string(cells[i].substr(0, kLongestCommand)));
    if (name == "USER" || name == "UID") row.Set(F::kOwner, std::string(cells[i]));
    if (!IsCommandName(name)) continue;
    std::string_view command = cells[i];
    if (i + 1 == names.size()) command = Trim(RestFrom(line, command));
    row.Set(F::kCommand, std::string(command.substr(0, kLongestCommand)));
  }
}

}  // namespace

Cells ProcessHeader(std::string_view line) {
  if (!Holds(line, "PID")) return {};
  Cells names = Fields(line);
  if (!names.empty() && names[0].starts_with("%") && names[0].size() == 1) return {};
  const bool pid = HasCell(names, "PID");
  const bool command = std::any_of(names.begin(), names.end(), IsCommandName);
  const bool more = HasCell(names, "S") || HasCell(names, "STAT") || HasCell(names, "%CPU") ||
                    HasCell(names, "WCHAN") || HasCell(names, "PPID") || HasCell(names, "TIME") ||
                    HasCell(names, "PSR");
  // pidstat's tables have a reader of their own.
  const bool other = HasCell(names, "GPU") || HasCell(names, "Command") || HasCell(names, "Type");
  return pid && command && more && !other ? names : Cells{};
}

bool IsTopHeader(const Cells& names) {
  return HasCell(names, "TIME+") || (HasCell(names, "PR") && HasCell(names, "NI")) ||
         HasCell(names, "VIRT");
}

bool ReadProcessRow(const Section& section, std::size_t at, const Cells& names, bool threads,
                    HostRow& row) {
  const std::string_view line = section[at];
  Cells cells = Fields(line);
  if (cells.empty()) return false;
  JoinLongStart(names, cells);
  const std::size_t pid_at = IndexOf(names, "PID");
  // A line that was cut off keeps what stands before the cut; with a pid alone it says nothing.
  if (pid_at >= names.size() || cells.size() < pid_at + 3) return false;
  const bool last_is_command = IsCommandName(names.back());
  if (!last_is_command && cells.size() > names.size()) return false;
  const std::optional<std::uint32_t> pid = ParseNumber<std::uint32_t>(cells[pid_at]);
  if (!pid || *pid == 0) return false;
  row = StartHostRow(section, at, HostTable::kProcess, IsTopHeader(names) ? "top" : "ps");
  row.name = std::to_string(*pid);
  AddColumns(names, cells, kNumbers, row);
  if (threads && !row.Number(F::kThread)) row.Set(F::kThread, *pid);
  AddWords(names, cells, line, row);
  return true;
}

}  // namespace gpuwhy
