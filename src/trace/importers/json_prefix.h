// What stands before and after the events of a Chrome trace.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuwhy::trace {

/// Finds the '[' of "traceEvents" at depth 1, or of a bare array, in text that arrives in pieces.
class PrefixScanner {
 public:
  /// Scans a piece; returns how much of it was used (up to and with the '[' where it was found).
  std::size_t Feed(std::string_view piece);
  [[nodiscard]] bool Found() const { return state_ == State::kFound; }
  [[nodiscard]] bool Failed() const { return state_ == State::kFailed; }
  /// The part of a used piece that is metadata: without the key "traceEvents" and what follows it.
  [[nodiscard]] std::string TakeMetadata(std::string_view used) const;

 private:
  enum class State : unsigned char { kStart, kScan, kFound, kFailed };
  void Step(char c);

  State state_ = State::kStart;
  bool bare_ = false, in_string_ = false, escaped_ = false;
  int depth_ = 0;
  std::string string_;      // the string being read, or the last one read
  bool after_key_ = false;  // "traceEvents" then ':' were just read at depth 1
  bool key_read_ = false;
};

/// One JSON object of the text before ("{...,") and after (",...}") the events; "{}" where that is
/// not possible.
[[nodiscard]] std::string JoinMetadata(std::string_view before, std::string_view after);

}  // namespace gpuwhy::trace
