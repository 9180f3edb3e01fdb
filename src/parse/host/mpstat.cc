#include <array>
#include <map>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::array<HostColumn, 12> kColumns = {{{"%usr", F::kUser, kPercent},
                                                  {"%user", F::kUser, kPercent},
                                                  {"%nice", F::kNice, kPercent},
                                                  {"%sys", F::kSystem, kPercent},
                                                  {"%system", F::kSystem, kPercent},
                                                  {"%iowait", F::kIowait, kPercent},
                                                  {"%irq", F::kIrq, kPercent},
                                                  {"%soft", F::kSoftirq, kPercent},
                                                  {"%steal", F::kSteal, kPercent},
                                                  {"%guest", F::kGuest, kPercent},
                                                  {"%gnice", F::kGuest, kPercent},
                                                  {"%idle", F::kIdle, kPercent}}};

/// The columns from "CPU" on; empty for other lines.
Cells HeaderOf(std::string_view line) {
  if (!Holds(line, "%idle") || !Holds(line, "CPU")) return {};
  Cells cells = WithoutStamp(line).cells;
  if (cells.empty() || cells[0] != "CPU") return {};
  return cells;
}

bool IsCpuName(std::string_view cell) { return cell == "all" || ParseNumber<int>(cell); }

bool IsRow(const StampedCells& row, std::size_t columns) {
  return row.cells.size() == columns && IsCpuName(row.cells[0]) && HostNumber(row.cells[1]);
}

std::string_view ToolOf(const Cells& header) {
  return HasCell(header, "%usr") || HasCell(header, "%soft") ? "mpstat" : "sar";
}

}  // namespace

std::optional<Match> RecogniseMpstat(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && HeaderOf(section[first]).empty()) ++first;
  if (first == section.size()) return std::nullopt;
  const std::size_t columns = HeaderOf(section[first]).size();
  std::size_t end = first + 1;
  for (std::size_t i = first + 1; i < section.size(); ++i) {
    if (Trim(section[i]).empty()) continue;
    if (HeaderOf(section[i]).size() != columns && !IsRow(WithoutStamp(section[i]), columns)) break;
    end = i + 1;
  }
  return Match{first, end, 85};
}

void ReadMpstat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& /*problems*/) {
  const Cells names = HeaderOf(section[match.first]);
  const std::string_view tool = ToolOf(names);
  const std::size_t before = into.host.size();
  std::map<std::string, std::uint32_t> samples;
  const std::string start = WithoutStamp(section[match.first]).stamp;
  bool averages = false;
  bool later = false;  // the header bears the time of the start, a row that of its interval's end
  for (std::size_t i = match.first; i < match.end && into.host.size() < kMostHostRows; ++i) {
    const StampedCells stamped = WithoutStamp(section[i]);
    if (!IsRow(stamped, names.size())) continue;
    HostRow row = StartHostRow(section, i, HostTable::kCpu, tool);
    row.name = std::string(stamped.cells[0]);
    row.span = stamped.average ? ReportSpan::kAverage : ReportSpan::kInterval;
    averages = averages || stamped.average;
    later = later || (!stamped.stamp.empty() && !start.empty() && stamped.stamp != start);
    if (!stamped.average) row.sample = samples[row.name]++;
    AddColumns(names, stamped.cells, kColumns, row);
    into.host.push_back(std::move(row));
  }
  // Without an interval mpstat prints one report: a mean since boot.
  bool single = !averages && !later && tool == "mpstat";
  for (const auto& [name, count] : samples) single = single && count < 2;
  if (!single || AsksForInterval(CommandFor(section, match.first, tool))) return;
  for (std::size_t i = before; i < into.host.size(); ++i)
    into.host[i].span = ReportSpan::kSinceStart;
}

}  // namespace gpuwhy
