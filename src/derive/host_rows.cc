#include "derive/host_rows.h"

#include <algorithm>
#include <numeric>

#include "base/i18n.h"

namespace gpuwhy {
namespace {

std::string PlaceOf(const HostRow& row) { return row.file + ":" + std::to_string(row.line); }

/// A tool's own mean over its reports repeats them; a mean since boot is not of now.
bool IsOfNow(const HostRow& row) {
  return row.span == ReportSpan::kInterval || row.span == ReportSpan::kMoment;
}

}  // namespace

std::vector<RowGroup> GroupsOf(const std::vector<HostRow>& rows, HostTable table) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> known;
  std::vector<RowGroup> groups;
  for (const HostRow& row : rows) {
    if (row.table != table) continue;
    const auto [at, added] = known.try_emplace({row.file, row.tool, row.name}, groups.size());
    if (added) groups.push_back({row.file, row.tool, row.name, {}});
    groups[at->second].rows.push_back(&row);
  }
  return groups;
}

Fact HostWriter::Start(FactId id, const Subject& subject, const HostRow& row) const {
  Fact fact;
  fact.id = id;
  fact.subject = subject;
  fact.scope = facts_.window;
  fact.provenance = {row.tool, PlaceOf(row), Origin::kRead};
  return fact;
}

void HostWriter::Mean(FactId id, const Subject& subject, const RowsOfOne& rows,
                      const Figure& figure) {
  std::vector<double> values;
  const HostRow* peak = nullptr;
  const HostRow* stale = nullptr;
  double most = 0;
  for (const HostRow* row : rows) {
    const std::optional<double> value = figure(*row);
    if (!value) continue;
    if (!IsOfNow(*row)) {
      stale = row;
      continue;
    }
    if (peak == nullptr || *value > most) peak = row, most = *value;
    values.push_back(*value);
  }
  if (peak == nullptr) {
    if (stale == nullptr) return;
    Fact fact = Start(id, subject, *stale);
    fact.value = Missing{
        Why::kNotSampled,
        Format(_("{} gives only a mean since the start, not what happens now"), stale->tool)};
    facts_.Add(std::move(fact));
    return;
  }
  Fact fact = Start(id, subject, *peak);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  fact.value = FactValue(sum / static_cast<double>(values.size()));
  fact.interval = {*std::min_element(values.begin(), values.end()), most};
  fact.stat = {StatKind::kMean, values.size(), 1};
  facts_.Add(std::move(fact));
  Line(subject, *peak);
}

void HostWriter::Number(FactId id, const Subject& subject, const HostRow& row, double value) {
  Fact fact = Start(id, subject, row);
  fact.value = FactValue(value);
  fact.interval = {value, value};
  facts_.Add(std::move(fact));
  Line(subject, row);
}

void HostWriter::Text(FactId id, const Subject& subject, const HostRow& row,
                      const std::string& text) {
  if (text.empty()) return;
  Fact fact = Start(id, subject, row);
  fact.value = FactValue(text);
  facts_.Add(std::move(fact));
}

void HostWriter::Flag(FactId id, const Subject& subject, const HostRow& row, bool value) {
  Fact fact = Start(id, subject, row);
  fact.value = FactValue(value);
  facts_.Add(std::move(fact));
}

void HostWriter::Line(const Subject& subject, const HostRow& row) {
  const std::vector<const Fact*> lines = facts_.All(FactId::kHostLine);
  const std::string place = PlaceOf(row);
  const bool known = std::any_of(lines.begin(), lines.end(), [&](const Fact* fact) {
    return fact->subject == subject && fact->provenance.source == place;
  });
  if (!known) Text(FactId::kHostLine, subject, row, row.text);
}

}  // namespace gpuwhy
