// Small pure text tools. Nothing here allocates without need or throws.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuwhy {

/// Whole text as a number of type T; nullopt where anything is left over or it does not fit.
template <class T>
[[nodiscard]] std::optional<T> ParseNumber(std::string_view text,
                                           int base = 10) requires std::is_integral_v<T> {
  T value{};
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}
/// Whole text as a finite decimal number.
[[nodiscard]] std::optional<double> ParseDouble(std::string_view text);

[[nodiscard]] std::string_view Trim(std::string_view text);
/// Fields separated by runs of spaces and tabs.
[[nodiscard]] std::vector<std::string_view> Fields(std::string_view line);
/// Fields between separators, each trimmed; at most `most`, what comes after is left out.
[[nodiscard]] std::vector<std::string_view> SeparatedFields(std::string_view line, char separator,
                                                            std::size_t most);
/// Is part somewhere in text?
[[nodiscard]] inline bool Holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}
/// ASCII letters in lower case; other bytes stay as they are.
[[nodiscard]] std::string Lower(std::string_view text);
/// A PCI address in one form: "0000:3b:00.0" for "00000000:3B:00.0" and "3b:00.0".
[[nodiscard]] std::string CanonicalBusId(std::string_view bus_id);
/// Cuts up to the first separator (or the end) off the front of rest and returns it.
std::string_view NextToken(std::string_view& rest, char separator);
/// NextToken with '\n', dropping a trailing '\r'.
std::string_view NextLine(std::string_view& rest);

/// Text of unknown origin (process, file and host names) made safe for a terminal and for JSON:
/// control bytes, DEL and invalid UTF-8 become \xNN, as do U+0080..U+009F and the bidi controls.
[[nodiscard]] std::string Printable(std::string_view bytes);
/// One word for a POSIX shell, whatever it holds: 'it'\''s'. Plain words stay as they are.
/// Control bytes are kept but quoted as $'\xNN', which bash, zsh and ksh read.
[[nodiscard]] std::string ShellQuote(std::string_view word);

}  // namespace gpuwhy
