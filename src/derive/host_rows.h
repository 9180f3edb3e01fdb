// Rows of host tools become facts: one number for all reports of one output, with the line that
// carries the extreme of them.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capture/pasted_host.h"
#include "facts/fact_set.h"

namespace gpuwhy {

using RowsOfOne = std::vector<const HostRow*>;

/// Rows of one table, apart by input, tool and name, in order of appearance within each.
struct RowGroup {
  std::string file, tool, name;
  RowsOfOne rows;
};
[[nodiscard]] std::vector<RowGroup> GroupsOf(const std::vector<HostRow>& rows, HostTable table);

class HostWriter {
 public:
  using Figure = std::function<std::optional<double>(const HostRow&)>;
  explicit HostWriter(FactSet& facts) : facts_(facts) {}

  /// The mean over the reports of now; low and high are the smallest and largest of them. Missing
  /// where a report only speaks of the time since boot; nothing where no row has the figure. The
  /// line of the largest is kept as well.
  void Mean(FactId id, const Subject& subject, const RowsOfOne& rows, const Figure& figure);
  /// One value of one row, and its line.
  void Number(FactId id, const Subject& subject, const HostRow& row, double value);
  void Text(FactId id, const Subject& subject, const HostRow& row, const std::string& text);
  void Flag(FactId id, const Subject& subject, const HostRow& row, bool value);
  /// The row's line, once.
  void Line(const Subject& subject, const HostRow& row);

 private:
  [[nodiscard]] Fact Start(FactId id, const Subject& subject, const HostRow& row) const;
  FactSet& facts_;
};

[[nodiscard]] inline HostWriter::Figure FieldOf(HostField field) {
  return [field](const HostRow& row) { return row.Number(field); };
}

}  // namespace gpuwhy
