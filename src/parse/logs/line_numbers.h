// The numbers of a log line, each with the words before and after it. It knows no framework: keys
// and units are as printed.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace gpuwhy {

struct LineNumber {
  std::string_view key;   ///< the words before it, without separators and quotes; may be empty
  std::string_view unit;  ///< directly after it: "ms", "it/s", "samples/sec"; may be empty
  double value = 0;       ///< NaN and infinities are given as such
  bool in_parentheses = false;     ///< "1.599 (2.648)": the second one
  std::optional<double> of_total;  ///< "1760/5005": the second number
};

/// Fills numbers (cleared first) with at most kMost of them. Clock times, dates written with
/// dashes and digits inside words are no numbers. Views point into line.
void FindLineNumbers(std::string_view line, std::vector<LineNumber>& numbers);
inline constexpr std::size_t kMostLineNumbers = 96;

/// Seconds of the first clock time (hh:mm:ss with a fraction or not) in the first bytes of a line;
/// with days since the epoch where a year-month-day stands before it.
struct LineStamp {
  double seconds = 0;  ///< of the day
  std::optional<long> day;
};
[[nodiscard]] std::optional<LineStamp> FindLineStamp(std::string_view line);

}  // namespace gpuwhy
