#include <array>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::array<HostColumn, 2> kQueue = {{{"r", F::kRunnable}, {"b", F::kBlocked}}};
constexpr std::array<HostColumn, 4> kSizes = {
    {{"swpd", F::kSwapUsed}, {"free", F::kMemFree}, {"si", F::kSwapIn}, {"so", F::kSwapOut}}};
constexpr std::array<HostColumn, 6> kCpu = {{{"us", F::kUser, kPercent},
                                             {"sy", F::kSystem, kPercent},
                                             {"id", F::kIdle, kPercent},
                                             {"wa", F::kIowait, kPercent},
                                             {"st", F::kSteal, kPercent},
                                             {"gu", F::kGuest, kPercent}}};

/// The names of the columns, without the date that -t puts at their end.
Cells HeaderOf(std::string_view line) {
  if (!Holds(line, "swpd")) return {};
  Cells cells = Fields(line);
  const std::size_t start = IndexOf(cells, "r");
  if (start + 4 > cells.size() || cells[start + 1] != "b" || !HasCell(cells, "si")) return {};
  cells.erase(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(start));
  for (const std::string_view last : {"gu", "st", "wa"}) {
    const std::size_t at = IndexOf(cells, last);
    if (at == cells.size()) continue;
    cells.resize(at + 1);
    break;
  }
  return cells;
}

/// The row's figures; empty for other lines. A wide terminal's line may have lost its end.
Cells FiguresOf(std::string_view line, std::size_t columns) {
  Cells cells = WithoutStamp(line).cells;
  if (cells.size() < 8) return {};
  if (cells.size() > columns) cells.resize(columns);
  for (const std::string_view cell : cells) {
    if (!HostNumber(cell)) return {};
  }
  return cells;
}

bool IsBanner(std::string_view line) { return Holds(line, "procs") && Holds(line, "-memory-"); }

/// Bytes of what the command asked for (-S); KiB by default.
double UnitOf(const Cells& command) {
  for (std::size_t i = 0; i + 1 < command.size(); ++i) {
    if (command[i] != "-S") continue;
    if (command[i + 1] == "k") return 1000;
    if (command[i + 1] == "m") return 1e6;
    if (command[i + 1] == "M") return kMebi;
  }
  return kKibi;
}

}  // namespace

std::optional<Match> RecogniseVmstat(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && HeaderOf(section[first]).empty()) ++first;
  if (first == section.size()) return std::nullopt;
  const std::size_t columns = HeaderOf(section[first]).size();
  std::size_t end = first + 1;
  for (std::size_t i = first + 1; i < section.size(); ++i) {
    const std::string_view line = section[i];
    const bool again = IsBanner(line) || HeaderOf(line).size() == columns;
    if (!again && FiguresOf(line, columns).empty()) break;
    end = i + 1;
  }
  return Match{first, end, 85};
}

void ReadVmstat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& /*problems*/) {
  const Cells names = HeaderOf(section[match.first]);
  const double unit = UnitOf(CommandFor(section, match.first, "vmstat"));
  std::uint32_t sample = 0;
  for (std::size_t i = match.first + 1; i < match.end && into.host.size() < kMostHostRows; ++i) {
    const Cells cells = FiguresOf(section[i], names.size());
    if (cells.empty()) continue;
    // The first line is a mean since boot. Where the start of the output is missing it is not, and
    // one line less is used than could be.
    const ReportSpan span = sample == 0 ? ReportSpan::kSinceStart : ReportSpan::kInterval;
    HostRow paging = StartHostRow(section, i, HostTable::kPaging, "vmstat");
    AddColumns(names, cells, kQueue, paging);
    AddColumns(names, cells, kSizes, paging);
    for (HostValue& value : paging.values) {
      if (value.field == F::kRunnable || value.field == F::kBlocked) continue;
      if (double* number = std::get_if<double>(&value.value)) *number *= unit;
    }
    HostRow cpu = StartHostRow(section, i, HostTable::kCpu, "vmstat");
    cpu.name = "all";
    AddColumns(names, cells, kCpu, cpu);
    paging.span = cpu.span = span;
    paging.sample = cpu.sample = sample++;
    into.host.push_back(std::move(paging));
    into.host.push_back(std::move(cpu));
  }
}

}  // namespace gpuwhy
