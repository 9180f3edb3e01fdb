// /proc/stat: counters since boot. Two copies give what happened between them.
#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::array<HostField, 8> kFields = {F::kUser,   F::kNice, F::kSystem,  F::kIdle,
                                              F::kIowait, F::kIrq,  F::kSoftirq, F::kSteal};
using Ticks = std::array<double, kFields.size()>;

struct CpuLine {
  std::string name;
  Ticks ticks{};
};

/// "cpu  4705 356 584 3699 23 0 23 0 0 0", "cpu0 ...". Guest time is counted in user time already.
std::optional<CpuLine> CpuLineOf(std::string_view line) {
  if (!line.starts_with("cpu")) return std::nullopt;
  const Cells cells = Fields(line);
  if (cells.size() < 8 || cells.size() > 11) return std::nullopt;
  const std::string_view number = cells[0].substr(3);
  if (!number.empty() && !ParseNumber<std::uint32_t>(number)) return std::nullopt;
  CpuLine cpu{number.empty() ? "all" : std::string(number), {}};
  for (std::size_t i = 1; i < cells.size(); ++i) {
    const std::optional<std::uint64_t> ticks = ParseNumber<std::uint64_t>(cells[i]);
    if (!ticks) return std::nullopt;
    if (i <= kFields.size()) cpu.ticks[i - 1] = static_cast<double>(*ticks);
  }
  return cpu;
}

void SetShares(const Ticks& ticks, HostRow& row) {
  const double all = std::accumulate(ticks.begin(), ticks.end(), 0.0);
  for (std::size_t i = 0; i < ticks.size() && all > 0; ++i) row.Set(kFields[i], ticks[i] / all);
}

/// "procs_blocked 3".
std::optional<double> Counter(std::string_view line, std::string_view name) {
  const Cells cells = Fields(line);
  if (cells.size() != 2 || cells[0] != name) return std::nullopt;
  return HostNumber(cells[1]);
}

}  // namespace

std::optional<Match> RecogniseProcStat(const Section& section, std::size_t from) {
  for (std::size_t first = from; first < section.size(); ++first) {
    // The second copy may follow after anything else.
    if (CpuLineOf(section[first])) return Match{first, section.size(), 70};
  }
  return std::nullopt;
}

void ReadProcStat(const Section& section, const Match& match, Pasted& into,
                  std::vector<Problem>& /*problems*/) {
  std::map<std::string, Ticks> before;
  std::map<std::string, std::uint32_t> samples;
  for (std::size_t i = match.first; i < match.end && into.host.size() < kMostHostRows; ++i) {
    if (const std::optional<double> blocked = Counter(section[i], "procs_blocked")) {
      HostRow row = StartHostRow(section, i, HostTable::kPaging, "/proc/stat");
      row.Set(F::kBlocked, *blocked);
      into.host.push_back(std::move(row));
    }
    const std::optional<CpuLine> cpu = CpuLineOf(section[i]);
    if (!cpu) continue;
    HostRow row = StartHostRow(section, i, HostTable::kCpu, "/proc/stat");
    row.name = cpu->name;
    row.sample = samples[cpu->name]++;
    const auto last = before.find(cpu->name);
    Ticks passed = cpu->ticks;
    row.span = ReportSpan::kSinceStart;
    if (last != before.end()) {
      std::transform(passed.begin(), passed.end(), last->second.begin(), passed.begin(),
                     [](double now, double then) { return now - then; });
      // Idle and iowait may fall by a tick; any more is another boot or another host.
      if (*std::min_element(passed.begin(), passed.end()) >= 0) row.span = ReportSpan::kInterval;
    }
    if (row.span == ReportSpan::kSinceStart) passed = cpu->ticks;
    SetShares(passed, row);
    before[cpu->name] = cpu->ticks;
    into.host.push_back(std::move(row));
  }
}

}  // namespace gpuwhy
