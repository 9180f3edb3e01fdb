// Records of one struct to columns: all first fields, then all second ones, ... Equal neighbours
// compress well, and a field appended to the struct is one more column at the end, which a reader
// that does not know it leaves alone. Which field is which column is decided by the order of calls
// in Fields() (codec_fields.h).
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/reading.h"
#include "base/time.h"
#include "capture/byte_writer.h"

namespace gpuwhy {

class ColumnWriter {
 public:
  template <class T>
  void Record(const T& record) {
    next_ = 0;
    Fields(*this, record);
  }
  /// Bytes held so far, for a caller that splits long vectors.
  [[nodiscard]] std::size_t size() const;
  /// varint number of columns, then each as varint length and bytes.
  void AppendTo(std::string& out) const;

  // ---- called by Fields()
  template <std::integral I>
  void Value(const I& value) {
    Put(Next().bytes, value);
  }
  void Value(const std::string& text) { PutText(Next().bytes, text); }
  void Value(const Nanos& duration) { Put(Next().bytes, duration.count()); }

  template <std::integral I>
  void Delta(const I& value) {
    PutDelta(static_cast<std::uint64_t>(value));
  }
  void Time(const MonoTime& time) { PutDelta(static_cast<std::uint64_t>(time.ns.count())); }

  void Name(const std::uint32_t& id) { Value(id); }
  void Detail(const std::uint32_t& id) { Value(id); }

  template <class E>
  void Enum(const E& value, E /*last*/) {
    PutVarint(Next().bytes, static_cast<std::uint64_t>(value));
  }
  template <class E>
  void Enum(const E& value, E last, E /*fallback*/) {
    Enum(value, last);
  }

  template <class T>
  void Measured(const Reading<T>& reading) {
    std::string& bytes = Next().bytes;
    if (reading) {
      bytes.push_back(0);
      Put(bytes, *reading);
    } else {
      PutVarint(bytes, static_cast<std::uint64_t>(reading.missing().why) + 1);
      PutText(bytes, reading.missing().detail);
    }
  }

  template <class T>
  void Struct(const T& part) {
    Fields(*this, part);
  }

  template <class T>
  void List(const std::vector<T>& list) {
    PutVarint(Next().bytes, list.size());
    Column& elements = Next();
    if (!elements.group) elements.group = std::make_unique<ColumnWriter>();
    for (const T& element : list) elements.group->Record(element);
  }

 private:
  struct Column {
    std::string bytes;
    std::uint64_t previous = 0;           // for deltas
    std::unique_ptr<ColumnWriter> group;  // of a list: its elements' columns, instead of bytes
  };

  template <std::integral I>
  static void Put(std::string& out, I value) {
    if constexpr (std::is_same_v<I, char>) {
      PutVarint(out, static_cast<unsigned char>(value));  // char has a sign on some machines only
    } else if constexpr (std::is_signed_v<I>) {
      PutVarint(out, Zigzag(value));
    } else {
      PutVarint(out, static_cast<std::uint64_t>(value));
    }
  }
  // Wraps around where two values are further apart than 63 bits, and so does the reader.
  void PutDelta(std::uint64_t value) {
    Column& column = Next();
    PutVarint(column.bytes, Zigzag(static_cast<std::int64_t>(value - column.previous)));
    column.previous = value;
  }

  Column& Next() {
    if (next_ == columns_.size()) columns_.emplace_back();
    return columns_[next_++];
  }

  std::vector<Column> columns_;
  std::size_t next_ = 0;
};

}  // namespace gpuwhy
