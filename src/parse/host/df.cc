#include <algorithm>
#include <array>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;

/// What df was asked for: sizes or inodes.
struct Layout {
  bool known = false, type = false, inodes = false;
  double unit = kKibi;      ///< of a size without a letter
  std::size_t columns = 0;  ///< before the mount point
};

Layout LayoutOf(std::string_view line) {
  Layout layout;
  if (!Holds(line, "Mounted on") || !Trim(line).starts_with("Filesystem")) return layout;
  const Cells names = Fields(line);
  layout.type = HasCell(names, "Type");
  layout.inodes = HasCell(names, "Inodes");
  layout.columns = names.size() - 2;
  layout.known = layout.columns >= 5 && (layout.inodes || HasCell(names, "Used"));
  for (const std::string_view name : names) {
    if (name == "1M-blocks") layout.unit = kMebi;
    if (name == "1G-blocks") layout.unit = kMebi * kKibi;
    if (name == "512-blocks") layout.unit = 512;
    if (name == "1B-blocks") layout.unit = 1;
  }
  return layout;
}

bool IsShare(std::string_view cell) {
  return cell == "-" || (cell.ends_with('%') && HostNumber(cell).has_value());
}

/// The row's cells, the device in front; nothing where the line is no row.
bool IsRow(const Cells& cells, const Layout& layout) {
  return cells.size() > layout.columns && IsShare(cells[layout.columns - 1]) &&
         cells[layout.columns].starts_with('/');
}

void Read(const Cells& cells, const Layout& layout, HostRow& row) {
  const std::size_t first = layout.type ? 2 : 1;
  row.Set(F::kSource, std::string(cells[0]));
  if (layout.type) row.Set(F::kType, std::string(cells[1]));
  const std::optional<double> share = HostNumber(cells[layout.columns - 1]);
  if (layout.inodes) {
    if (share) row.Set(F::kInodesUsedShare, *share * kPercent);
    return;
  }
  const auto size = [&](std::size_t at, HostField field) {
    if (const std::optional<double> bytes = HostSize(cells[at], layout.unit))
      row.Set(field, *bytes);
  };
  size(first, F::kSize);
  size(first + 1, F::kUsed);
  size(first + 2, F::kAvailable);
  if (share) row.Set(F::kUsedShare, *share * kPercent);
}

}  // namespace

std::optional<Match> RecogniseDf(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !LayoutOf(section[first]).known) ++first;
  if (first == section.size()) return std::nullopt;
  const Layout layout = LayoutOf(section[first]);
  std::size_t end = first + 1;
  for (; end < section.size(); ++end) {
    Cells cells = Fields(section[end]);
    // A long device name stands on a line of its own, its figures on the next.
    const bool alone = cells.size() == 1 && end + 1 < section.size();
    if (alone) {
      const Cells next = Fields(section[end + 1]);
      cells.insert(cells.end(), next.begin(), next.end());
    }
    if (!IsRow(cells, layout)) break;
    if (alone) ++end;
  }
  return Match{first, end, 82};
}

void ReadDf(const Section& section, const Match& match, Pasted& into,
            std::vector<Problem>& /*problems*/) {
  const Layout layout = LayoutOf(section[match.first]);
  for (std::size_t i = match.first + 1; i < match.end && into.host.size() < kMostHostRows; ++i) {
    Cells cells = Fields(section[i]);
    if (cells.size() == 1 && i + 1 < match.end) {
      const Cells next = Fields(section[++i]);
      cells.insert(cells.end(), next.begin(), next.end());
    }
    if (!IsRow(cells, layout)) continue;
    HostRow row = StartHostRow(section, i, HostTable::kFileSystem, "df");
    row.name = std::string(cells[layout.columns]);
    Read(cells, layout, row);
    into.host.push_back(std::move(row));
  }
}

}  // namespace gpuwhy
