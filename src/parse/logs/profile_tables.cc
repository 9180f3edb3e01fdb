#include "parse/logs/profile_tables.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "parse/line_reader.h"
#include "parse/logs/columns.h"
#include "parse/logs/number_series.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostTables = 16;
constexpr std::size_t kMostRows = 512;

/// "78.632s", "68.203ms", "0.000us", "88.64%", "0": seconds, or the share of a percentage.
std::optional<double> Cell(std::string_view cell, bool& percent) {
  double value = 0;
  const auto [stop, ec] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (ec != std::errc{}) return std::nullopt;
  const std::string_view unit = cell.substr(static_cast<std::size_t>(stop - cell.data()));
  percent = unit == "%";
  if (percent) return value / 100;
  if (unit == "s" || unit.empty()) return value;
  if (unit == "ms") return value * 1e-3;
  if (unit == "us") return value * 1e-6;
  return std::nullopt;
}

constexpr std::size_t kMostColumns = 64;

class Reader {
 public:
  void Line(std::string_view line, std::uint32_t number) {
    if (Holds(line, "Self CPU %") && Holds(line, "Name"))
      return Begin("torch", ColumnsBetweenBlanks(line, kMostColumns));
    if (Holds(line, "Action") && Holds(line, "Mean duration")) return Begin("lightning", {});
    if (Holds(line, "Self CPU time total:") || Holds(line, "Self CUDA time total:"))
      return Total(line, number);
    if (open_ == nullptr) return;
    if (open_->kind == "torch")
      TorchRow(line, number);
    else
      LightningRow(line, number);
  }
  std::vector<ProfilerTable> Finish() { return std::move(tables_); }

 private:
  void Begin(std::string_view kind, const std::vector<std::string_view>& columns) {
    columns_.assign(columns.begin(), columns.end());
    if (tables_.size() == kMostTables) {
      open_ = nullptr;
      return;
    }
    if (tables_.capacity() == 0) tables_.reserve(kMostTables);
    open_ = &tables_.emplace_back();
    open_->kind = std::string(kind);
  }

  void Total(std::string_view line, std::uint32_t number) {
    if (open_ == nullptr || open_->kind != "torch") Begin("torch", {});
    if (open_ == nullptr) return;
    bool percent = false;
    const std::optional<double> value = Cell(Trim(line.substr(line.rfind(':') + 1)), percent);
    if (!value || percent) return;
    (Holds(line, "CUDA") ? open_->device_total_s : open_->cpu_total_s) = value;
    open_->totals.push_back(Quote(number, line));
    if (open_->totals.size() > 8) open_->totals.pop_back();
  }

  void TorchRow(std::string_view line, std::uint32_t number) {
    if (line.starts_with("---") || open_->rows.size() == kMostRows) return;
    const std::vector<std::string_view> cells = ColumnsBetweenBlanks(line, kMostColumns);
    if (cells.size() < 4 || cells.size() > columns_.size()) return;
    ProfilerRow row;
    row.name = std::string(cells.front().substr(0, 200));
    row.quote = Quote(number, line);
    for (std::size_t i = 1; i < cells.size(); ++i) {
      bool percent = false;
      const std::optional<double> value = Cell(cells[i], percent);
      if (!value) continue;
      const std::string& column = columns_[i];
      if (column == "Self CPU %")
        row.self_cpu_share = value;
      else if (column == "CPU total %")
        row.cpu_share = value;
      else if (column == "Self CPU")
        row.self_cpu_s = value;
      else if (column == "CPU total")
        row.cpu_total_s = value;
      else if (column == "Self CUDA")
        row.self_device_s = value;
    }
    open_->rows.push_back(std::move(row));
  }

  /// Cells between bars; the name may hold bars' blanks. Mean, calls, total, percentage.
  void LightningRow(std::string_view line, std::uint32_t number) {
    std::vector<std::string_view> cells;
    while (!line.empty()) {
      const std::string_view cell = Trim(NextToken(line, '|'));
      if (!cell.empty()) cells.push_back(cell);
    }
    if (cells.size() < 4 || open_->rows.size() == kMostRows) return;
    bool percent = false;
    std::string_view share_text = cells.back();
    if (share_text.ends_with('%')) share_text = Trim(share_text.substr(0, share_text.size() - 1));
    const std::optional<double> total = Cell(cells[cells.size() - 2], percent);
    const std::optional<double> share = Cell(share_text, percent);
    if (!total || !share) return;
    ProfilerRow row;
    row.name = std::string(cells.front().substr(0, 200));
    std::string flat;
    for (const std::string_view cell : cells)
      flat += (flat.empty() ? "" : " | ") + std::string(cell.substr(0, 120));
    row.quote = Quote(number, flat);
    row.cpu_total_s = total;
    row.cpu_share = *share / 100;
    if (row.name == "Total")
      open_->total_s = total;
    else
      open_->rows.push_back(std::move(row));
  }

  std::vector<ProfilerTable> tables_;
  ProfilerTable* open_ = nullptr;
  std::vector<std::string> columns_;
};

}  // namespace

std::vector<ProfilerTable> FindProfilerTables(std::string_view text) {
  Reader reader;
  // A table's header is rare: texts without one cost a search and no more.
  if (!Holds(text, "Self CPU") && !Holds(text, "Mean duration")) return {};
  LineReader lines(text);
  while (lines.Next()) reader.Line(lines.Line(), lines.Number());
  return reader.Finish();
}

}  // namespace gpuwhy
