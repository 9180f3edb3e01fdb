// Text made to fit a terminal: columns counted in code points, paragraphs wrapped, names made
// harmless.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuwhy {

/// Columns that a printable text takes: its code points. Wide and combining characters are counted
/// as one: names that hold them make a line ragged, nothing worse.
[[nodiscard]] std::size_t Columns(std::string_view text);
/// text, filled up with spaces to that many columns; longer texts stay as they are.
[[nodiscard]] std::string PadRight(std::string_view text, std::size_t columns);
[[nodiscard]] std::string PadLeft(std::string_view text, std::size_t columns);
/// Lines of at most width columns, cut at spaces; a word that is longer stands alone and whole (a
/// path that is cut can't be copied). Newlines in text start a new line. Never empty.
[[nodiscard]] std::vector<std::string> Wrap(std::string_view text, std::size_t width);
/// Printable(), but newlines stay: for texts that may hold several lines.
[[nodiscard]] std::string PrintableLines(std::string_view text);

}  // namespace gpuwhy
