#include "parse/host/free.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"

namespace gpuwhy {
namespace {

using F = HostField;

/// "Mem:", or its word in another language, with figures behind it.
bool IsMemoryRow(const Cells& cells) {
  return cells.size() >= 4 && cells[0].ends_with(':') && HostSize(cells[1], 1).has_value();
}

constexpr std::size_t kMostRows = 3;  ///< memory, what old versions print without caches, swap

}  // namespace

bool IsFreeHeader(const Cells& cells) {
  return cells.size() >= 5 && cells[0] == "total" && cells[1] == "used" && cells[2] == "free";
}

double UnitOfFree(std::string_view total) {
  constexpr double kLeast = 4 * kMebi * kKibi;
  double unit = 1;
  const std::optional<double> number = HostNumber(total);
  if (!number || *number <= 0) return kKibi;
  while (*number * unit < kLeast && unit < kMebi * kKibi) unit *= kKibi;
  return unit;
}

FreeRow ReadFreeRow(const Cells& names, const Cells& cells, double unit) {
  static const Cells usual = {"total", "used", "free", "shared", "buff/cache", "available"};
  const Cells& columns = names.empty() ? usual : names;
  const auto cell = [&](std::string_view name) -> std::optional<double> {
    const std::size_t at = IndexOf(columns, name) + 1;
    if (at > columns.size() || at >= cells.size()) return std::nullopt;
    return HostSize(cells[at], unit);
  };
  FreeRow row{cell("total"), cell("used"), cell("free"), cell("available")};
  if (row.available || !row.free) return row;
  // Before procps 3.3.10 what could be had was free memory and what caches give back.
  const std::optional<double> buffers = cell("buffers");
  const std::optional<double> cached = cell("cached");
  if (buffers && cached) row.available = *row.free + *buffers + *cached;
  return row;
}

std::optional<Match> RecogniseFree(const Section& section, std::size_t from) {
  for (std::size_t first = from; first + 1 < section.size(); ++first) {
    if (!IsFreeHeader(Fields(section[first])) || !IsMemoryRow(Fields(section[first + 1]))) continue;
    std::size_t end = first + 2;
    while (end < section.size() && end <= first + kMostRows &&
           (IsMemoryRow(Fields(section[end])) || Holds(section[end], "buffers/cache:"))) {
      ++end;
    }
    return Match{first, end, 82};
  }
  return std::nullopt;
}

void ReadFree(const Section& section, const Match& match, Pasted& into,
              std::vector<Problem>& /*problems*/) {
  if (into.host.size() >= kMostHostRows) return;
  const Cells names = Fields(section[match.first]);
  const Cells memory = Fields(section[match.first + 1]);
  const double unit = UnitOfFree(memory[1]);
  const FreeRow read = ReadFreeRow(names, memory, unit);
  HostRow row = StartHostRow(section, match.first + 1, HostTable::kMemory, "free");
  if (read.total) row.Set(F::kMemTotal, *read.total);
  if (read.free) row.Set(F::kMemFree, *read.free);
  if (read.available) row.Set(F::kMemAvailable, *read.available);
  for (std::size_t i = match.first + 2; i < match.end; ++i) {
    const Cells cells = Fields(section[i]);
    if (Holds(section[i], "buffers/cache:")) continue;
    const FreeRow swap = ReadFreeRow(names, cells, unit);
    if (swap.total) row.Set(F::kSwapTotal, *swap.total);
    if (swap.used) row.Set(F::kSwapUsed, *swap.used);
  }
  into.host.push_back(std::move(row));
}

}  // namespace gpuwhy
