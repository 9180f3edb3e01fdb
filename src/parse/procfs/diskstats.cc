#include "parse/procfs/diskstats.h"

#include <array>
#include <optional>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr const char* kPath = "/proc/diskstats";
constexpr std::size_t kNumbers = 3;  // major, minor, name come first
constexpr std::size_t kOldPartition = kNumbers + 4;

/// A counter's place among the numbers behind the name. Merges (1 and 5) are not kept.
struct Column {
  std::size_t index;
  std::uint64_t BlockSample::*counter;
};
constexpr std::array<Column, 9> kColumns = {{{0, &BlockSample::reads},
                                             {2, &BlockSample::read_sectors},
                                             {3, &BlockSample::read_ms},
                                             {4, &BlockSample::writes},
                                             {6, &BlockSample::write_sectors},
                                             {7, &BlockSample::write_ms},
                                             {8, &BlockSample::in_flight},
                                             {9, &BlockSample::busy_ms},
                                             {10, &BlockSample::weighted_ms}}};

std::optional<BlockLine> ReadLine(const std::vector<std::string_view>& fields) {
  if (fields.size() <= kNumbers + kColumns.back().index) return std::nullopt;
  BlockLine line;
  const std::optional<std::uint32_t> major = ParseNumber<std::uint32_t>(fields[0]);
  const std::optional<std::uint32_t> minor = ParseNumber<std::uint32_t>(fields[1]);
  if (!major || !minor) return std::nullopt;
  line.counters.device = {*major, *minor};
  line.name = fields[2];
  for (const Column& column : kColumns) {
    const std::optional<std::uint64_t> value =
        ParseNumber<std::uint64_t>(fields[kNumbers + column.index]);
    if (!value) return std::nullopt;
    line.counters.*column.counter = *value;
  }
  return line;
}

}  // namespace

Result<Diskstats> ParseDiskstats(std::string_view text) {
  Diskstats stats;
  LineReader lines(text);
  while (lines.Next()) {
    const std::vector<std::string_view> fields = Fields(lines.Line());
    if (fields.empty() || fields.size() == kOldPartition) continue;
    const std::optional<BlockLine> line = ReadLine(fields);
    if (line) {
      stats.devices.push_back(*line);
    } else {
      stats.skipped.Add(lines.Number());
    }
  }
  if (stats.devices.empty() && stats.skipped.count > 0) {
    return LineError(kPath, stats.skipped.first, _("is not as the kernel writes it"));
  }
  return stats;
}

}  // namespace gpuwhy
