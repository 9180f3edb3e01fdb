#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gpuwhy {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t'; }

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 0;  // 0: not valid UTF-8 at this place
};

// Strict decoding: no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint Decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
  if (length == 0 || length > text.size() || lead > 0xF4) return {};
  std::uint32_t value = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = (value << 6U) | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || surrogate || value > 0x10FFFF) return {};
  return {value, length};
}

bool IsHarmful(std::uint32_t c) {
  const bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
  const bool bidi = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E ||
                    c == 0x200F || c == 0x061C || c == 0x2028 || c == 0x2029;
  return control || bidi;
}

}  // namespace

std::optional<double> ParseDouble(std::string_view text) {
  double value = 0;
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (ec != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string_view Trim(std::string_view text) {
  const auto is_blank = [](char c) { return IsSpace(c) || c == '\n' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> Fields(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t i = 0;
  while (i < line.size()) {
    while (i < line.size() && IsSpace(line[i])) ++i;
    const std::size_t start = i;
    while (i < line.size() && !IsSpace(line[i])) ++i;
    if (i > start) fields.push_back(line.substr(start, i - start));
  }
  return fields;
}

std::vector<std::string_view> SeparatedFields(std::string_view line, char separator,
                                              std::size_t most) {
  std::vector<std::string_view> fields;
  while (fields.size() < most) {
    const std::size_t at = line.find(separator);
    fields.push_back(Trim(line.substr(0, at)));
    if (at == std::string_view::npos) break;
    line.remove_prefix(at + 1);
  }
  return fields;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

std::string CanonicalBusId(std::string_view bus_id) {
  std::string lower = Lower(bus_id);
  const std::size_t colon = lower.find(':');
  if (colon == 2) return "0000:" + lower;
  if (colon != std::string::npos && colon > 4) lower.erase(0, colon - 4);
  return lower;
}

std::string_view NextToken(std::string_view& rest, char separator) {
  const std::size_t at = rest.find(separator);
  const std::string_view token = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view{} : rest.substr(at + 1);
  return token;
}

std::string_view NextLine(std::string_view& rest) {
  std::string_view line = NextToken(rest, '\n');
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

std::string Printable(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const CodePoint c = Decode(bytes);
    const std::size_t length = std::max<std::size_t>(c.length, 1);
    if (c.length != 0 && !IsHarmful(c.value)) {
      out.append(bytes.substr(0, length));
    } else {
      for (const char b : bytes.substr(0, length)) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(b));
      }
    }
    bytes.remove_prefix(length);
  }
  return out;
}

std::string ShellQuote(std::string_view word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:=@%+,-").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return std::string(word);
  if (Printable(word) == word) {
    std::string out = "'";
    for (const char c : word) {
      if (c == '\'') {
        out += "'\\''";
      } else {
        out += c;
      }
    }
    return out + "'";
  }
  std::string out = "$'";
  for (const char c : word) {
    if (plain(c) || c == ' ') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
  }
  return out + "'";
}

}  // namespace gpuwhy
