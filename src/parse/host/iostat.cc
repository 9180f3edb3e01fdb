#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "parse/host/block_columns.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::array<HostColumn, 6> kCpuColumns = {{{"%user", F::kUser, kPercent},
                                                    {"%nice", F::kNice, kPercent},
                                                    {"%system", F::kSystem, kPercent},
                                                    {"%iowait", F::kIowait, kPercent},
                                                    {"%steal", F::kSteal, kPercent},
                                                    {"%idle", F::kIdle, kPercent}}};

bool IsDeviceWord(std::string_view cell) { return cell == "Device" || cell == "Device:"; }

Cells DeviceHeader(std::string_view line) {
  if (!Holds(line, "Device")) return {};
  Cells cells = Fields(line);
  const bool device = std::any_of(cells.begin(), cells.end(), IsDeviceWord);
  if (!device || (!HasCell(cells, "r/s") && !HasCell(cells, "tps"))) return {};
  return cells;
}

Cells CpuHeader(std::string_view line) {
  if (!Holds(line, "avg-cpu")) return {};
  Cells cells = Fields(line);
  if (cells.empty() || !cells[0].starts_with("avg-cpu") || !HasCell(cells, "%idle")) return {};
  cells.erase(cells.begin());
  return cells;
}

bool AllNumbers(const Cells& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [](std::string_view cell) { return HostNumber(cell).has_value(); });
}

/// Where a device stands in a row: the name is the first column, the last one with -h.
struct Layout {
  Cells names;
  std::size_t device = 0;
};

bool IsDeviceRow(const Cells& cells, const Layout& layout) {
  if (cells.size() != layout.names.size() || cells.empty() || layout.names.empty()) return false;
  const std::size_t figure = layout.device == 0 ? cells.size() - 1 : 0;
  return HostNumber(cells[figure]).has_value();
}

Layout LayoutOf(Cells names) {
  Layout layout;
  layout.device = static_cast<std::size_t>(std::find_if(names.begin(), names.end(), IsDeviceWord) -
                                           names.begin());
  layout.names = std::move(names);
  return layout;
}

/// The lines of a run, told apart.
class Run {
 public:
  Run(const Section& section, Pasted& into) : section_(section), into_(into) {}

  /// False: the line is not iostat's.
  bool Take(std::size_t at) {
    const std::string_view line = section_[at];
    if (Cells cpu = CpuHeader(line); !cpu.empty()) {
      // A report begins with it; without it (-d) with the devices.
      cpu_names_ = std::move(cpu);
      expects_cpu_ = true;
      return true;
    }
    if (Cells device = DeviceHeader(line); !device.empty()) {
      layout_ = LayoutOf(std::move(device));
      ++reports_;
      return true;
    }
    const Cells cells = Fields(line);
    if (expects_cpu_ && cells.size() == cpu_names_.size() && AllNumbers(cells)) {
      expects_cpu_ = false;
      AddCpu(at, cells);
      return true;
    }
    if (!IsDeviceRow(cells, layout_)) return cells.empty() || IsStampLine(line);
    AddDevice(at, cells);
    return true;
  }
  [[nodiscard]] std::uint32_t CpuReports() const { return cpu_reports_; }

 private:
  void AddCpu(std::size_t at, const Cells& cells) {
    HostRow row = StartHostRow(section_, at, HostTable::kCpu, "iostat");
    row.name = "all";
    row.sample = cpu_reports_++;
    AddColumns(cpu_names_, cells, kCpuColumns, row);
    Keep(std::move(row));
  }
  void AddDevice(std::size_t at, const Cells& cells) {
    HostRow row = StartHostRow(section_, at, HostTable::kBlock, "iostat");
    row.name = std::string(cells[layout_.device]);
    row.sample = reports_ - 1;
    AddColumns(layout_.names, cells, kBlockColumns, row);
    Keep(std::move(row));
  }
  void Keep(HostRow row) {
    row.span = row.sample == 0 ? ReportSpan::kSinceStart : ReportSpan::kInterval;
    if (into_.host.size() < kMostHostRows) into_.host.push_back(std::move(row));
  }

  const Section& section_;
  Pasted& into_;
  Cells cpu_names_;
  Layout layout_;
  bool expects_cpu_ = false;
  std::uint32_t reports_ = 0, cpu_reports_ = 0;
};

/// -y leaves the first report, which is of the time since boot, out.
bool LeavesOutFirst(const Cells& command) {
  return std::any_of(command.begin(), command.end(), [](std::string_view word) {
    return word.size() > 1 && word[0] == '-' && word[1] != '-' && Holds(word, "y");
  });
}

}  // namespace

std::optional<Match> RecogniseIostat(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && DeviceHeader(section[first]).empty() &&
         CpuHeader(section[first]).empty())
    ++first;
  if (first == section.size()) return std::nullopt;
  Pasted unused;
  Run run(section, unused);
  std::size_t end = first + 1;
  for (std::size_t i = first; i < section.size() && run.Take(i); ++i) {
    if (!Trim(section[i]).empty()) end = i + 1;
  }
  return Match{first, end, 85};
}

void ReadIostat(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& /*problems*/) {
  const std::size_t before = into.host.size();
  Run run(section, into);
  for (std::size_t i = match.first; i < match.end; ++i) run.Take(i);
  if (!LeavesOutFirst(CommandFor(section, match.first, "iostat"))) return;
  for (std::size_t i = before; i < into.host.size(); ++i) into.host[i].span = ReportSpan::kInterval;
}

}  // namespace gpuwhy
