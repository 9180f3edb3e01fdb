// Lines of a text with their numbers, for parsers that must say where a file went wrong.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/text.h"

namespace gpuwhy {

/// Looks at text, which must outlive it.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : rest_(text) {}

  /// Goes to the next line; false at the end.
  bool Next() {
    if (rest_.empty()) return false;
    line_ = NextLine(rest_);
    ++number_;
    return true;
  }
  [[nodiscard]] std::string_view Line() const { return line_; }
  [[nodiscard]] std::uint32_t Number() const { return number_; }  ///< from 1; 0 before Next()

 private:
  std::string_view rest_;
  std::string_view line_;
  std::uint32_t number_ = 0;
};

/// Lines that a parser passed over because they did not read as expected.
struct SkippedLines {
  std::uint32_t count = 0;
  std::uint32_t first = 0;  ///< number of the first one, from 1

  void Add(std::uint32_t line) {
    if (count++ == 0) first = line;
  }
  friend bool operator==(const SkippedLines&, const SkippedLines&) = default;
};

/// An error in a line of a file: where is "path:line".
[[nodiscard]] inline Error LineError(const char* path, std::uint32_t line, std::string message) {
  return Error{std::move(message), std::string(path) + ":" + std::to_string(line), 0};
}

}  // namespace gpuwhy
