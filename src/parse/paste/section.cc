#include "parse/paste/section.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/text.h"
#include "parse/paste/line_prefix.h"

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

/// Blanks and quotes that mail programs, chats and web pages put in place of the plain ones.
constexpr Entity kLookalikes[] = {
    {"\xc2\xa0", " "},     {"\xe2\x80\xaf", " "}, {"\xe2\x80\x8b", ""},   {"\xef\xbb\xbf", ""},
    {"\xe2\x80\x98", "'"}, {"\xe2\x80\x99", "'"}, {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""}};

const Entity* Find(std::span<const Entity> entities, std::string_view rest) {
  const auto found = std::find_if(entities.begin(), entities.end(), [&](const Entity& entity) {
    return rest.starts_with(entity.from);
  });
  return found == entities.end() ? nullptr : &*found;
}

/// What stands for something else at the start of rest.
const Entity* EntityAt(std::string_view rest) {
  const auto first = static_cast<unsigned char>(rest.front());
  if (first == '&') return Find(kEntities, rest);
  if (first == 0xc2 || first == 0xe2 || first == 0xef) return Find(kLookalikes, rest);
  return nullptr;
}

constexpr std::array<bool, 256> DirtyBytes() {
  std::array<bool, 256> dirty{};
  for (const unsigned c : {0x1bU, 0x26U, 0xc2U, 0xe2U, 0xefU}) dirty[c] = true;  // 0x26: '&'
  return dirty;
}
/// Bytes with which something to be cleaned begins.
constexpr std::array<bool, 256> kDirty = DirtyBytes();

std::size_t NextDirty(std::string_view bytes, std::size_t at) {
  while (at < bytes.size() && !kDirty[static_cast<unsigned char>(bytes[at])]) ++at;
  return at;
}

/// Length of what is to be cleaned at bytes[at], and what takes its place. 0: nothing is.
std::size_t LengthToClean(std::string_view bytes, std::size_t at, std::string_view& instead) {
  if (bytes[at] == '\x1b') return EscapeLength(bytes, at);
  const Entity* entity = EntityAt(bytes.substr(at));
  if (entity == nullptr) return 0;
  instead = entity->to;
  return entity->from.size();
}

/// The bytes themselves where they are clean, as most logs are; else what was made in text.
std::string_view Cleaned(std::string_view bytes, std::string& text) {
  std::size_t copied = 0;
  for (std::size_t at = NextDirty(bytes, 0); at < bytes.size(); at = NextDirty(bytes, at)) {
    std::string_view instead;
    const std::size_t length = LengthToClean(bytes, at, instead);
    if (length > 0) {
      text.append(bytes.substr(copied, at - copied));
      text.append(instead);
      copied = at + length;
    }
    at += std::max<std::size_t>(length, 1);
  }
  if (copied == 0) return bytes;
  text.append(bytes.substr(copied));
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

std::vector<PastedLine> LinesOf(std::string_view text, std::uint32_t first) {
  std::vector<PastedLine> lines;
  lines.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  std::uint32_t number = first - 1;
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

/// True where most lines were quoted.
bool DropQuotes(std::vector<PastedLine>& lines) {
  std::size_t quoted = 0;
  std::size_t filled = 0;
  for (const PastedLine& line : lines) {
    if (line.text.empty()) continue;
    ++filled;
    if (IsQuoted(line.text)) ++quoted;
  }
  if (quoted * 2 <= filled) return false;
  for (PastedLine& line : lines) line.text = Unquoted(line.text);
  return true;
}

/// The prefix of nearly all lines: what a collector writes stands before every one of them. A few
/// may lack it, where a line was wrapped or a progress bar redrew itself.
LinePrefix CommonPrefix(const std::vector<PastedLine>& lines) {
  constexpr std::size_t kLook = 400;
  constexpr std::array<LinePrefix, 4> kAll = {LinePrefix::kRfc3339, LinePrefix::kJournal,
                                              LinePrefix::kRank, LinePrefix::kService};
  std::array<std::size_t, kAll.size()> counts{};
  std::size_t filled = 0;
  for (const PastedLine& line : lines) {
    if (line.text.empty()) continue;
    if (++filled > kLook) break;
    for (std::size_t i = 0; i < kAll.size(); ++i) {
      if (PrefixLength(kAll[i], line.text) > 0) ++counts[i];
    }
  }
  filled = std::min(filled, kLook);
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    if (filled >= 2 && counts[i] * 10 >= filled * 9) return kAll[i];
  }
  return LinePrefix::kNone;
}

/// True where lines had one. A collector's lines may lie in those of another: twice at most.
bool DropPrefixes(std::vector<PastedLine>& lines) {
  bool dropped = false;
  for (int depth = 0; depth < 2; ++depth) {
    const LinePrefix prefix = CommonPrefix(lines);
    if (prefix == LinePrefix::kNone) break;
    for (PastedLine& line : lines) line.text.remove_prefix(PrefixLength(prefix, line.text));
    dropped = true;
  }
  return dropped;
}

}  // namespace

bool IsUtf16(std::string_view bytes) { return bytes.substr(0, 2) == "\xff\xfe"; }

std::string FromUtf16(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() / 2);
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    text.push_back(bytes[i + 1] == '\0' ? bytes[i] : '?');
  }
  return text;
}

std::string_view CommandOfPrompt(std::string_view line) {
  line = Trim(line);
  if (line.size() < 3 || line.size() > 2000) return {};
  if (line.substr(0, 2) == "$ ") return Trim(line.substr(2));
  const std::size_t at = line.find('@');
  const std::size_t end = at == std::string_view::npos ? at : line.find_first_of("$#");
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

Section::Section(std::string name, std::string_view bytes, std::uint32_t first_line)
    : name_(std::move(name)), text_(Cleaned(bytes, cleaned_)), lines_(LinesOf(text_, first_line)) {
  quoted_ = DropQuotes(lines_);
  prefixed_ = DropPrefixes(lines_);
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const std::string_view command = CommandOfPrompt(lines_[i].text);
    if (!command.empty()) prompts_.push_back({i, command});
  }
}

std::size_t Section::BeginOf(std::size_t line) const {
  if (line >= lines_.size()) return text_.size();
  const auto at = static_cast<std::size_t>(lines_[line].text.data() - text_.data());
  const std::size_t before = at == 0 ? std::string_view::npos : text_.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t Section::NextPrompt(std::size_t from) const {
  const auto next =
      std::lower_bound(prompts_.begin(), prompts_.end(), from,
                       [](const PromptSeen& prompt, std::size_t at) { return prompt.line < at; });
  return next == prompts_.end() ? lines_.size() : next->line;
}

}  // namespace gpuwhy
