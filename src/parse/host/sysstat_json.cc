// iostat and mpstat with -o JSON. Only the objects of devices and CPUs are read, wherever they lie:
// a paste that was cut is no whole JSON text.
#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "base/text.h"
#include "parse/host/block_columns.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::array<HostColumn, 12> kJsonCpuColumns = {{{"usr", F::kUser, kPercent},
                                                         {"user", F::kUser, kPercent},
                                                         {"nice", F::kNice, kPercent},
                                                         {"sys", F::kSystem, kPercent},
                                                         {"system", F::kSystem, kPercent},
                                                         {"iowait", F::kIowait, kPercent},
                                                         {"irq", F::kIrq, kPercent},
                                                         {"soft", F::kSoftirq, kPercent},
                                                         {"steal", F::kSteal, kPercent},
                                                         {"guest", F::kGuest, kPercent},
                                                         {"gnice", F::kGuest, kPercent},
                                                         {"idle", F::kIdle, kPercent}}};
constexpr std::size_t kLongestObject = 4096;

bool Starts(std::string_view line) {
  return Holds(line, "\"disk_device\"") || Holds(line, "\"avg-cpu\"") ||
         Holds(line, "\"cpu-load\"");
}

/// Marks that only JSON has, and what stands between objects.
bool MayBelong(std::string_view line) {
  const std::string_view text = Trim(line);
  return text.empty() || text.find_first_of("{}[]\":") != std::string_view::npos;
}

/// "key": value pairs of one flat object; the text is what lies between its braces.
void ReadPairs(std::string_view text, Cells& names, Cells& cells) {
  constexpr std::size_t kMost = 64;
  while (!text.empty() && names.size() < kMost) {
    std::string_view pair = NextToken(text, ',');
    const std::size_t colon = pair.rfind(':');
    if (colon == std::string_view::npos) continue;
    const auto bare = [](std::string_view word) {
      word = Trim(word);
      if (word.size() >= 2 && word.front() == '"' && word.back() == '"')
        word = word.substr(1, word.size() - 2);
      return word;
    };
    names.push_back(bare(pair.substr(0, colon)));
    cells.push_back(bare(pair.substr(colon + 1)));
  }
}

class Objects {
 public:
  Objects(const Section& section, Pasted& into) : section_(section), into_(into) {}

  void TakeLine(std::size_t at) {
    const std::string_view line = section_[at];
    for (const char c : line) {
      if (c == '{') {
        text_.clear();
        open_ = true;
      } else if (c == '}') {
        if (open_) Close(at);
        open_ = false;
      } else if (open_ && text_.size() < kLongestObject) {
        text_.push_back(c);
      }
    }
    if (open_) text_.push_back(' ');
  }

 private:
  void Close(std::size_t at) {
    Cells names;
    Cells cells;
    ReadPairs(text_, names, cells);
    const std::size_t device = IndexOf(names, "disk_device");
    const std::size_t cpu = IndexOf(names, "cpu");
    if (device < names.size()) {
      Add(at, HostTable::kBlock, "iostat", std::string(cells[device]), names, cells);
    } else if (HasCell(names, "idle")) {
      const bool core = cpu < names.size();
      Add(at, HostTable::kCpu, core ? "mpstat" : "iostat", core ? std::string(cells[cpu]) : "all",
          names, cells);
    }
  }
  void Add(std::size_t at, HostTable table, std::string_view tool, const std::string& name,
           const Cells& names, const Cells& cells) {
    if (into_.host.size() >= kMostHostRows) return;
    HostRow row = StartHostRow(section_, at, table, tool);
    row.name = name;
    row.sample = samples_[{table, name}]++;
    row.span =
        row.sample == 0 && tool == "iostat" ? ReportSpan::kSinceStart : ReportSpan::kInterval;
    AddColumns(names, cells,
               table == HostTable::kBlock ? std::span<const HostColumn>(kBlockColumns)
                                          : std::span<const HostColumn>(kJsonCpuColumns),
               row);
    into_.host.push_back(std::move(row));
  }

  const Section& section_;
  Pasted& into_;
  std::map<std::pair<HostTable, std::string>, std::uint32_t> samples_;
  std::string text_;
  bool open_ = false;
};

}  // namespace

std::optional<Match> RecogniseSysstatJson(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !Starts(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  std::size_t end = first;
  while (end < section.size() && MayBelong(section[end])) ++end;
  return Match{first, std::max(end, first + 1), 85};
}

void ReadSysstatJson(const Section& section, const Match& match, Pasted& into,
                     std::vector<Problem>& /*problems*/) {
  const std::size_t before = into.host.size();
  Objects objects(section, into);
  for (std::size_t i = match.first; i < match.end; ++i) objects.TakeLine(i);
  // A single report of mpstat speaks of the time since boot, as its table does.
  const bool single =
      std::all_of(into.host.begin() + static_cast<std::ptrdiff_t>(before), into.host.end(),
                  [](const HostRow& row) { return row.sample == 0; });
  if (!single || AsksForInterval(CommandFor(section, match.first, "mpstat"))) return;
  for (std::size_t i = before; i < into.host.size(); ++i)
    into.host[i].span = ReportSpan::kSinceStart;
}

}  // namespace gpuwhy
