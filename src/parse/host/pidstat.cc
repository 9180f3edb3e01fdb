#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::size_t kLongestCommand = 200;
constexpr std::array<HostColumn, 11> kColumns = {{{"%wait", F::kRunWait, kPercent},
                                                  {"%CPU", F::kCores, kPercent},
                                                  {"CPU", F::kLastCpu},
                                                  {"kB_rd/s", F::kReadRate, kKibi},
                                                  {"kB_wr/s", F::kWriteRate, kKibi},
                                                  {"cswch/s", F::kSwitches},
                                                  {"nvcswch/s", F::kForcedSwitches},
                                                  {"majflt/s", F::kMajorFaults},
                                                  {"RSS", F::kResident, kKibi},
                                                  {"threads", F::kThreads},
                                                  {"iodelay", F::kIoDelay}}};

/// The columns from UID or PID on; empty for other lines.
Cells HeaderOf(std::string_view line) {
  if (!Holds(line, "Command")) return {};
  Cells names = WithoutStamp(line).cells;
  if (!names.empty() && names[0] == "Time") names.erase(names.begin());
  const bool who = HasCell(names, "PID") || (HasCell(names, "TGID") && HasCell(names, "TID"));
  const bool figures = HasCell(names, "%CPU") || HasCell(names, "kB_rd/s") ||
                       HasCell(names, "cswch/s") || HasCell(names, "majflt/s");
  if (!who || !figures || names.back() != "Command") return {};
  return names;
}

struct Row {
  StampedCells cells;
  std::uint32_t pid = 0, thread = 0;  ///< 0: not told
};

std::optional<Row> RowOf(std::string_view line, const Cells& names) {
  Row row;
  row.cells = WithoutStamp(line);
  const Cells& cells = row.cells.cells;
  if (cells.size() < names.size()) return std::nullopt;
  const auto number = [&](std::string_view name) -> std::uint32_t {
    const std::size_t at = IndexOf(names, name);
    return at < names.size() ? ParseNumber<std::uint32_t>(cells[at]).value_or(0) : 0U;
  };
  row.pid = std::max(number("PID"), number("TGID"));
  row.thread = number("TID");
  if (row.pid == 0 && row.thread == 0) return std::nullopt;
  return row;
}

std::string CommandOf(std::string_view line, std::string_view cell) {
  std::string_view command = Trim(line.substr(static_cast<std::size_t>(cell.data() - line.data())));
  while (!command.empty() && (command.front() == '|' || command.front() == '_'))
    command.remove_prefix(1);
  return std::string(command.substr(0, kLongestCommand));
}

class Report {
 public:
  Report(const Section& section, Pasted& into) : section_(section), into_(into) {}

  void Take(std::size_t at) {
    const std::string_view line = section_[at];
    if (Cells names = HeaderOf(line); !names.empty()) {
      names_ = std::move(names);
      return;
    }
    if (names_.empty()) return;
    const std::optional<Row> seen = RowOf(line, names_);
    if (!seen || into_.host.size() >= kMostHostRows) return;
    if (seen->pid != 0) process_ = seen->pid;
    HostRow row = StartHostRow(section_, at, HostTable::kProcess, "pidstat");
    row.name = std::to_string(process_);
    if (seen->thread != 0) row.Set(F::kThread, seen->thread);
    row.span = seen->cells.average ? ReportSpan::kAverage : ReportSpan::kInterval;
    averages_ = averages_ || seen->cells.average;
    AddColumns(names_, seen->cells.cells, kColumns, row);
    row.Set(F::kCommand, CommandOf(line, seen->cells.cells[names_.size() - 1]));
    // -u, -d and -w print tables of their own, each with all processes.
    const std::string figure = row.name + "/" + std::to_string(seen->thread) + "/" +
                               std::string(names_[names_.size() - 2]);
    if (!seen->cells.average) row.sample = samples_[figure]++;
    series_ = series_ || row.sample > 0;
    into_.host.push_back(std::move(row));
  }
  [[nodiscard]] bool Single() const { return !series_ && !averages_; }

 private:
  const Section& section_;
  Pasted& into_;
  Cells names_;
  std::uint32_t process_ = 0;
  std::map<std::string, std::uint32_t> samples_;
  bool series_ = false, averages_ = false;
};

}  // namespace

std::optional<Match> RecognisePidstat(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && HeaderOf(section[first]).empty()) ++first;
  if (first == section.size()) return std::nullopt;
  Cells names;
  std::size_t end = first + 1;
  for (std::size_t i = first; i < section.size(); ++i) {
    if (Trim(section[i]).empty()) continue;
    if (Cells header = HeaderOf(section[i]); !header.empty()) {
      names = std::move(header);
    } else if (!RowOf(section[i], names)) {
      break;
    }
    end = i + 1;
  }
  return Match{first, end, 86};
}

void ReadPidstat(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& /*problems*/) {
  const std::size_t before = into.host.size();
  Report report(section, into);
  for (std::size_t i = match.first; i < match.end; ++i) report.Take(i);
  // Without an interval it speaks of the time since each process started.
  if (!report.Single() || AsksForInterval(CommandFor(section, match.first, "pidstat"))) return;
  for (std::size_t i = before; i < into.host.size(); ++i)
    into.host[i].span = ReportSpan::kSinceStart;
}

}  // namespace gpuwhy
