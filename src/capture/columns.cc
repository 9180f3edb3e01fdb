#include "capture/column_reader.h"
#include "capture/column_writer.h"

namespace gpuwhy {

std::size_t ColumnWriter::size() const {
  std::size_t total = 0;
  for (const Column& column : columns_) {
    total += column.bytes.size() + (column.group ? column.group->size() : 0);
  }
  return total;
}

void ColumnWriter::AppendTo(std::string& out) const {
  PutVarint(out, columns_.size());
  for (const Column& column : columns_) {
    if (!column.group) {
      PutText(out, column.bytes);
      continue;
    }
    std::string group;
    column.group->AppendTo(group);
    PutText(out, group);
  }
}

ColumnReader::ColumnReader(ByteReader& bytes, MemoryBudget& budget) : budget_(&budget) {
  const std::uint64_t count = bytes.Varint();
  // A column is at least its length byte.
  ok_ = bytes.ok() && count <= bytes.Remaining() && budget.Take(count * sizeof(Column));
  if (!ok_) return;
  columns_.resize(count);
  for (Column& column : columns_) column.bytes = ByteReader(bytes.Text());
  ok_ = bytes.ok();
}

ColumnReader::Column* ColumnReader::Next() {
  if (!ok_ || next_ >= columns_.size()) return nullptr;
  return &columns_[next_++];
}

ColumnReader* ColumnReader::Group() {
  Column* column = Next();
  if (column == nullptr) return nullptr;
  if (!column->group) column->group = std::make_unique<ColumnReader>(column->bytes, *budget_);
  return column->group.get();
}

bool ColumnReader::Plausible(std::uint64_t count, std::size_t record_size) {
  const std::size_t held = columns_.empty() ? 0 : columns_.front().bytes.Remaining();
  ok_ = ok_ && count <= held && budget_->Take(count * record_size);
  return ok_;
}

void ColumnReader::Value(std::string& text) {
  if (Column* column = Next()) text = GetText(*column);
}

void ColumnReader::Value(Nanos& duration) {
  Column* column = Next();
  if (column == nullptr) return;
  std::int64_t count = 0;
  Get(*column, count);
  duration = Nanos{count};
}

void ColumnReader::Time(MonoTime& time) {
  if (Column* column = Next()) {
    time.ns = Nanos{static_cast<std::int64_t>(GetDelta(*column))};
  }
}

std::string ColumnReader::GetText(Column& column) {
  const std::string_view text = column.bytes.Text();
  Check(column.bytes);
  if (!budget_->Take(text.size())) Fail();
  return ok_ ? std::string(text) : std::string();
}

std::uint64_t ColumnReader::GetDelta(Column& column) {
  column.previous += static_cast<std::uint64_t>(Unzigzag(column.bytes.Varint()));
  Check(column.bytes);
  return column.previous;
}

Missing ColumnReader::GetMissing(Column& column, std::uint64_t tag) {
  Missing missing{Why::kFailed, GetText(column)};
  if (tag - 1 <= static_cast<std::uint64_t>(Why::kWentBackwards)) {
    missing.why = static_cast<Why>(tag - 1);
  } else {
    saw_unknown_ = true;
  }
  return missing;
}

}  // namespace gpuwhy
