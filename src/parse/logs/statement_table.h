// The words of each statement. A row matches a line that holds `needle` and, where given, `also`
// and not `never`.
#pragma once

#include <span>
#include <string_view>

#include "capture/pasted_logs.h"

namespace gpuwhy {

struct StatementPattern {
  Statement statement;
  std::string_view needle;
  std::string_view also = {};
  std::string_view never = {};
};

[[nodiscard]] std::span<const StatementPattern> StatementPatterns();

/// Whether the line tells what a message would mean, and prints none.
[[nodiscard]] bool IsAdvice(std::string_view line);
/// Whether the line holds words that keep it from making this statement: advice, questions, notes
/// that are always printed, programs that go on after it.
[[nodiscard]] bool IsException(Statement statement, std::string_view line);

}  // namespace gpuwhy
