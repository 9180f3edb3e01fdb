// Columns back to records; the mirror of column_writer.h for bytes of unknown origin. A column that
// is not there leaves its field at the default, columns after the known ones are not looked at.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/reading.h"
#include "base/time.h"
#include "capture/byte_reader.h"
#include "capture/byte_writer.h"

namespace gpuwhy {

/// What decoding may still allocate. Charged before every allocation whose size the input decides.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::uint64_t bytes) : left_(bytes) {}
  /// False, for good, once more was asked for than was left.
  [[nodiscard]] bool Take(std::uint64_t bytes) {
    if (exhausted_ || bytes > left_) {
      exhausted_ = true;
      return false;
    }
    left_ -= bytes;
    return true;
  }
  [[nodiscard]] bool Exhausted() const { return exhausted_; }

 private:
  std::uint64_t left_;
  bool exhausted_ = false;
};

class ColumnReader {
 public:
  /// Takes a column set off the front of bytes, which must outlive this, as must budget.
  ColumnReader(ByteReader& bytes, MemoryBudget& budget);

  /// Appends count records to out; where anything is wrong out is as before and false is returned.
  template <class T>
  [[nodiscard]] bool Records(std::uint64_t count, std::vector<T>& out) {
    const std::size_t before = out.size();
    if (!Plausible(count, sizeof(T))) return false;
    out.resize(before + count);
    for (std::size_t i = before; i < out.size() && ok_; ++i) Record(out[i]);
    if (!ok_) out.resize(before);
    return ok_;
  }
  /// An enumerator was met that this build does not know and that has a neutral stand-in.
  [[nodiscard]] bool SawUnknown() const { return saw_unknown_; }

  // ---- called by Fields()
  template <std::integral I>
  void Value(I& value) {
    if (Column* column = Next()) Get(*column, value);
  }
  void Value(std::string& text);
  void Value(Nanos& duration);

  template <std::integral I>
  void Delta(I& value) {
    if (Column* column = Next()) {
      const std::uint64_t whole = GetDelta(*column);
      value = static_cast<I>(whole);
      if (static_cast<std::uint64_t>(value) != whole) Fail();
    }
  }
  void Time(MonoTime& time);

  void Name(std::uint32_t& id) { Value(id); }
  void Detail(std::uint32_t& id) { Value(id); }

  template <class E>
  void Enum(E& value, E last) {
    if (Column* column = Next(); column != nullptr && !GetEnum(*column, value, last)) Fail();
  }
  template <class E>
  void Enum(E& value, E last, E fallback) {
    Column* column = Next();
    if (column == nullptr || GetEnum(*column, value, last)) return;
    value = fallback;
    saw_unknown_ = true;
  }

  template <class T>
  void Measured(Reading<T>& reading) {
    Column* column = Next();
    if (column == nullptr) return;
    const std::uint64_t tag = column->bytes.Varint();
    Check(column->bytes);
    if (tag != 0) {
      reading = GetMissing(*column, tag);
      return;
    }
    T value{};
    Get(*column, value);
    reading = value;
  }

  template <class T>
  void Struct(T& part) {
    Fields(*this, part);
  }

  template <class T>
  void List(std::vector<T>& list) {
    Column* lengths = Next();
    if (lengths == nullptr) return;
    const std::uint64_t count = lengths->bytes.Varint();
    Check(lengths->bytes);
    ColumnReader* elements = Group();
    if (count == 0 || !ok_) return;
    if (elements == nullptr || !elements->Records(count, list)) return Fail();
    saw_unknown_ = saw_unknown_ || elements->saw_unknown_;
  }

 private:
  struct Column {
    ByteReader bytes;
    std::uint64_t previous = 0;
    std::unique_ptr<ColumnReader> group;
  };

  template <class T>
  void Record(T& record) {
    next_ = 0;
    Fields(*this, record);
  }

  template <std::integral I>
  void Get(Column& column, I& value) {
    const std::uint64_t bits = column.bytes.Varint();
    Check(column.bytes);
    if constexpr (std::is_same_v<I, bool>) {
      value = bits != 0;
      if (bits > 1) Fail();
    } else if constexpr (std::is_same_v<I, char>) {
      value = static_cast<char>(static_cast<unsigned char>(bits));
      if (bits > 0xFFU) Fail();
    } else if constexpr (std::is_signed_v<I>) {
      value = static_cast<I>(Unzigzag(bits));
      if (!std::in_range<I>(Unzigzag(bits))) Fail();
    } else {
      value = static_cast<I>(bits);
      if (!std::in_range<I>(bits)) Fail();
    }
  }
  template <class E>
  bool GetEnum(Column& column, E& value, E last) {
    const std::uint64_t number = column.bytes.Varint();
    Check(column.bytes);
    if (number > static_cast<std::uint64_t>(last)) return false;
    value = static_cast<E>(number);
    return true;
  }
  Missing GetMissing(Column& column, std::uint64_t tag);
  std::string GetText(Column& column);
  std::uint64_t GetDelta(Column& column);

  // Every field of every record takes at least one byte, so a count that the first column can't
  // hold is a lie; what it would allocate is charged before it is allocated.
  bool Plausible(std::uint64_t count, std::size_t record_size);
  Column* Next();
  ColumnReader* Group();
  void Check(const ByteReader& bytes) { ok_ = ok_ && bytes.ok(); }
  void Fail() { ok_ = false; }

  MemoryBudget* budget_;
  std::vector<Column> columns_;
  std::size_t next_ = 0;
  bool ok_ = true;
  bool saw_unknown_ = false;
};

}  // namespace gpuwhy
