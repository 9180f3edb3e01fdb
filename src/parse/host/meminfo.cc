// /proc/meminfo.
#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::array<HostColumn, 8> kKeys = {{{"MemTotal", F::kMemTotal},
                                              {"MemFree", F::kMemFree},
                                              {"MemAvailable", F::kMemAvailable},
                                              {"SwapTotal", F::kSwapTotal},
                                              {"SwapFree", F::kAvailable},
                                              {"Dirty", F::kMemDirty},
                                              {"Unevictable", F::kMemLocked},
                                              {"Shmem", F::kUsed}}};

struct Pair {
  std::string_view key;
  double bytes = 0;
};

/// "MemTotal:  131072000 kB"; counts of huge pages have no unit.
std::optional<Pair> PairOf(std::string_view line) {
  const Cells cells = Fields(line);
  if (cells.size() < 2 || cells.size() > 3 || !cells[0].ends_with(':')) return std::nullopt;
  if (cells.size() == 3 && cells[2] != "kB") return std::nullopt;
  const std::optional<std::uint64_t> number = ParseNumber<std::uint64_t>(cells[1]);
  if (!number) return std::nullopt;
  return Pair{cells[0].substr(0, cells[0].size() - 1), static_cast<double>(*number) * kKibi};
}

bool Starts(std::string_view line) {
  if (!Holds(line, "kB")) return false;
  const std::optional<Pair> pair = PairOf(line);
  return pair && (pair->key == "MemTotal" || pair->key == "MemFree" || pair->key == "MemAvailable");
}

}  // namespace

std::optional<Match> RecogniseMeminfo(const Section& section, std::size_t from) {
  for (std::size_t first = from; first < section.size(); ++first) {
    if (!Starts(section[first])) continue;
    std::size_t end = first + 1;
    // A second copy of the file begins with its first line again.
    while (end < section.size() && PairOf(section[end]) && PairOf(section[end])->key != "MemTotal")
      ++end;
    return Match{first, end, 82};
  }
  return std::nullopt;
}

void ReadMeminfo(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& /*problems*/) {
  if (into.host.size() >= kMostHostRows) return;
  HostRow row = StartHostRow(section, match.first, HostTable::kMemory, "meminfo");
  for (std::size_t i = match.first; i < match.end; ++i) {
    const std::optional<Pair> pair = PairOf(section[i]);
    if (!pair) continue;
    for (const HostColumn& key : kKeys) {
      if (key.name == pair->key) row.Set(key.field, pair->bytes);
    }
    // The line that is quoted: what could still be had.
    if (pair->key == "MemAvailable") {
      row.line = section.Number(i);
      row.text = std::string(Trim(section[i]));
    }
  }
  const std::optional<double> total = row.Number(F::kSwapTotal);
  const std::optional<double> free = row.Number(F::kAvailable);
  if (total && free && *total >= *free) row.Set(F::kSwapUsed, *total - *free);
  into.host.push_back(std::move(row));
}

}  // namespace gpuwhy
