#include "trace/importers/json_sanitize.h"

#include <simdjson.h>

namespace gpuwhy::trace {
namespace {

std::size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  if (lead >= 0xF0 && lead < 0xF5) return 4;
  return 0;
}

}  // namespace

std::uint64_t SanitizeJson(std::span<char> text) {
  std::uint64_t mended = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '"') in_string = !in_string;
    if (byte == '\\' && in_string) {
      i += 2;
      continue;
    }
    if (byte < 0x20 && in_string) {
      text[i] = ' ';
      ++mended;
    }
    const std::size_t length = SequenceLength(byte);
    if (length > 1 && i + length <= text.size() &&
        simdjson::validate_utf8(text.data() + i, length)) {
      i += length;
      continue;
    }
    if (byte >= 0x80) {
      text[i] = '?';
      ++mended;
    }
    ++i;
  }
  return mended;
}

std::size_t NextEventStart(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  for (std::size_t at = text.find('}'); at != std::string_view::npos; at = text.find('}', at + 1)) {
    std::size_t next = text.find_first_not_of(kBlank, at + 1);
    if (next == std::string_view::npos || text[next] != ',') continue;
    next = text.find_first_not_of(kBlank, next + 1);
    if (next == std::string_view::npos || text[next] != '{') continue;
    // An object inside an event's arguments looks the same but for the phase that each event has.
    constexpr std::size_t kNear = std::size_t{64} << 10U;
    const std::string_view candidate = text.substr(next, kNear);
    const std::size_t length = EventLength(candidate);
    if (candidate.substr(0, length).find("\"ph\"") != std::string_view::npos) return next;
  }
  return 0;
}

std::size_t EventLength(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (--depth == 0) return i + 1;
      if (depth < 0) return 0;
    }
  }
  return 0;
}

}  // namespace gpuwhy::trace
