#include "parse/paste/section.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"

namespace gpuwhy {
namespace {

/// Length of an escape sequence that starts at text[at] (an ESC); at least 1.
std::size_t EscapeLength(std::string_view text, std::size_t at) {
  std::size_t i = at + 1;
  if (i >= text.size()) return 1;
  if (text[i] == '[') {
    for (++i; i < text.size(); ++i) {
      if (text[i] >= '@' && text[i] <= '~') return i + 1 - at;
      if (text[i] == '\n') return i - at;
    }
    return i - at;
  }
  if (text[i] == ']') {  // OSC: up to BEL or ESC backslash
    for (++i; i < text.size() && text[i] != '\n'; ++i) {
      if (text[i] == '\a') return i + 1 - at;
      if (text[i] == '\x1b') return i + 2 <= text.size() ? i + 2 - at : i + 1 - at;
    }
    return i - at;
  }
  return 2;
}

struct Entity {
  std::string_view from, to;
};
constexpr Entity kEntities[] = {{"&lt;", "<"},    {"&gt;", ">"},   {"&amp;", "&"},
                                {"&quot;", "\""}, {"&#39;", "'"},  {"&nbsp;", " "},
                                {"&#x27;", "'"},  {"&apos;", "'"}, {"&#34;", "\""}};

/// Characters that look like a blank, or like nothing, in a browser or a mail.
constexpr Entity kInvisible[] = {{"\xc2\xa0", " "},      // no-break space
                                 {"\xe2\x80\x8b", ""},   // zero-width space
                                 {"\xe2\x80\xaf", " "},  // narrow no-break space
                                 {"\xef\xbb\xbf", ""}};  // byte order mark

/// The entry whose text the bytes begin with; nullptr where there is none.
const Entity* EntityAt(std::string_view bytes, std::span<const Entity> entities) {
  for (const Entity& entity : entities) {
    if (bytes.substr(0, entity.from.size()) == entity.from) return &entity;
  }
  return nullptr;
}

/// PowerShell's "> file" writes UTF-16: the outputs read here are ASCII but for names.
std::string FromUtf16(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
    text.push_back(bytes[i + 1] == '\0' ? bytes[i] : '?');
  }
  return text;
}

std::string Cleaned(std::string_view bytes) {
  std::string wide;
  if (bytes.substr(0, 2) == "\xff\xfe") {
    wide = FromUtf16(bytes);
    bytes = wide;
  }
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size();) {
    const char c = bytes[i];
    if (c == '\x1b') {
      i += EscapeLength(bytes, i);
      continue;
    }
    const Entity* found = nullptr;
    if (c == '&') found = EntityAt(bytes.substr(i), kEntities);
    if (c == '\xc2' || c == '\xe2' || c == '\xef') found = EntityAt(bytes.substr(i), kInvisible);
    if (found != nullptr) {
      text += found->to;
      i += found->from.size();
      continue;
    }
    text.push_back(c);
    ++i;
  }
  return text;
}

bool IsQuoted(std::string_view line) { return !line.empty() && line.front() == '>'; }

std::string_view Unquoted(std::string_view line) {
  while (IsQuoted(line)) {
    line.remove_prefix(1);
    if (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  }
  return line;
}

std::vector<PastedLine> LinesOf(std::string_view text) {
  std::vector<PastedLine> lines;
  std::uint32_t number = 0;
  while (!text.empty()) {
    std::string_view line = NextLine(text);
    ++number;
    // A progress bar overwrites its line with a carriage return: each state is a line of its own.
    while (true) {
      const std::size_t cut = line.find('\r');
      const std::string_view part = line.substr(0, cut);
      if (cut == std::string_view::npos || !part.empty()) lines.push_back({part, number});
      if (cut == std::string_view::npos) break;
      line.remove_prefix(cut + 1);
    }
  }
  return lines;
}

void DropQuotes(std::vector<PastedLine>& lines) {
  std::size_t quoted = 0;
  std::size_t filled = 0;
  for (const PastedLine& line : lines) {
    if (line.text.empty()) continue;
    ++filled;
    if (IsQuoted(line.text)) ++quoted;
  }
  if (quoted * 2 <= filled) return;
  for (PastedLine& line : lines) line.text = Unquoted(line.text);
}

}  // namespace

std::string_view CommandOfPrompt(std::string_view line) {
  line = Trim(line);
  if (line.size() < 3 || line.size() > 2000) return {};
  if (line.substr(0, 2) == "$ ") return Trim(line.substr(2));
  const std::size_t at = line.find('@');
  const std::size_t end = line.find_first_of("$#");
  const bool named = at != std::string_view::npos && end != std::string_view::npos && at < end &&
                     at > 0 && end + 1 < line.size() && line[end + 1] == ' ' &&
                     line.find(' ') >= std::min(at, line.size());
  if (named) return Trim(line.substr(end + 1));
  const bool drive = line.size() > 3 && line[1] == ':' && line[2] == '\\';
  if (drive || line.substr(0, 3) == "PS ") {
    const std::size_t mark = line.find('>');
    if (mark != std::string_view::npos) return Trim(line.substr(mark + 1));
  }
  return {};
}

Section::Section(std::string name, std::string_view bytes)
    : name_(std::move(name)), text_(Cleaned(bytes)), lines_(LinesOf(text_)) {
  DropQuotes(lines_);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::string_view command = CommandOfPrompt(lines_[i].text);
    if (!command.empty()) prompts_.push_back({i, command});
  }
}

std::size_t Section::NextPrompt(std::size_t from) const {
  const auto next =
      std::lower_bound(prompts_.begin(), prompts_.end(), from,
                       [](const PromptSeen& prompt, std::size_t at) { return prompt.line < at; });
  return next == prompts_.end() ? lines_.size() : next->line;
}

}  // namespace gpuwhy
