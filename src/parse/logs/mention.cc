#include "parse/logs/mention.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/text.h"

namespace gpuwhy {
namespace {

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

/// Without the marks of quoting, lists and headings in front.
std::string_view WithoutMarks(std::string_view text) {
  while (!text.empty()) {
    const char c = text.front();
    const bool mark = c == ' ' || c == '\t' || c == '>';
    const bool bullet = (c == '-' || c == '*') && text.size() > 1 && text[1] == ' ';
    if (!mark && !bullet) break;
    text.remove_prefix(1);
  }
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits != std::string_view::npos && digits > 0 && digits < 3 &&
      (text.substr(digits, 2) == ". " || text.substr(digits, 2) == ") ")) {
    text.remove_prefix(digits + 2);
  }
  return text;
}

constexpr std::string_view kOpenings[] = {
    "if ",         "when ",        "whenever ",  "unless ",      "until ",        "once ",
    "in case ",    "to repro",     "how ",       "why ",         "what ",         "does ",
    "did ",        "should ",      "would ",     "is it ",       "is there ",     "was it ",
    "was there ",  "see whether ", "look for ",  "check for ",   "check if ",     "check whether ",
    "search for ", "watch for ",   "wait for ",  "e.g. ",        "for example",   "no ",
    "never ",      "without ",     "such as ",   "there is no ", "there was no ", "there are no ",
    "we saw no ",  "i see no ",    "we see no ", "i don't see ", "we don't see ", "not ",
    "grep ",       "rg ",          "echo ",      "printf ",      "awk ",          "alert if ",
    "suppose ",    "imagine ",     "todo",       "fixme",        "expected: ",    "instead of ",
};

/// A sentence that begins like this is about what may be, or about what is not.
bool OpensAMention(const std::string& before) {
  return std::any_of(std::begin(kOpenings), std::end(kOpenings),
                     [&](std::string_view opening) { return before.starts_with(opening); });
}

bool IsComment(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return false;
  const std::string_view text = line.substr(begin);
  constexpr std::string_view kStarts[] = {"//",      "/*",  "<!--",  "#include",
                                          "#define", ";; ", R"(""")"};
  if (std::any_of(std::begin(kStarts), std::end(kStarts),
                  [&](std::string_view start) { return text.starts_with(start); })) {
    return true;
  }
  // The middle of a block comment is indented by one.
  if (begin > 0 && text.starts_with("* ")) return true;
  // "# dmesg | grep ..." is a root's prompt, and a comment of a script: either way no output.
  return text.starts_with("# ") && text.size() > 2 && IsLetter(text[2]) &&
         std::islower(static_cast<unsigned char>(text[2])) != 0;
}

/// In a command that looks for the words: what it found stands on lines of its own.
bool IsInCommand(const std::string& before) {
  constexpr std::string_view kCommands[] = {"| grep ", "|grep ", "egrep ",
                                            "grep -",  "| rg ",  "| awk "};
  return std::any_of(std::begin(kCommands), std::end(kCommands), [&](std::string_view command) {
    return before.find(command) != std::string::npos;
  });
}

bool EndsLikeCode(std::string_view line) {
  const std::size_t end = line.find_last_not_of(" \t\r");
  return end != std::string_view::npos &&
         (line[end] == ';' || line[end] == '{' || line[end] == ',');
}

/// Inside of quotes that a sentence or a program's text opens. A program that quotes another's
/// message has a colon, a bracket or an equals sign before the quote.
bool IsQuoted(std::string_view line, std::size_t at) {
  const std::string_view before = line.substr(0, at);
  if (std::count(before.begin(), before.end(), '`') % 2 == 1 &&
      line.find('`', at) != std::string_view::npos) {
    return true;
  }
  if (before.find("\xe2\x80\x9c") != std::string_view::npos &&  // typographic quotes
      line.find("\xe2\x80\x9d", at) != std::string_view::npos) {
    return true;
  }
  if (std::count(before.begin(), before.end(), '"') % 2 == 0) return false;
  const std::size_t open = before.rfind('"');
  const std::size_t last =
      open == 0 ? std::string_view::npos : before.find_last_not_of(' ', open - 1);
  if (last == std::string_view::npos) return false;
  const bool spaced = last + 1 < open;
  const char c = before[last];
  if (spaced && (IsLetter(c) || c == '?' || c == '.')) return true;
  const bool in_list = c == ',' || c == '(' || c == '{' || c == '[';
  return in_list && EndsLikeCode(line) && before.find("\":") == std::string_view::npos;
}

/// "... no GPU has fallen", "79 means GPU has fallen": the words just before, without a colon
/// between.
bool IsDeniedOrExplained(const std::string& before) {
  const std::size_t colon = before.rfind(':');
  std::string clause = colon == std::string::npos ? before : before.substr(colon + 1);
  // The last three words.
  std::size_t from = clause.size();
  for (int words = 0; words < 3 && from != std::string::npos && from > 0; ++words) {
    const std::size_t end = clause.find_last_not_of(' ', from - 1);
    if (end == std::string::npos) break;
    from = clause.rfind(' ', end);
  }
  const std::string tail = " " + (from == std::string::npos ? clause : clause.substr(from)) + " ";
  constexpr std::string_view kWords[] = {
      " no ",    " never ", " without ", " didn't ", " isn't ", " wasn't ", " hasn't ", " haven't ",
      " don't ", " means ", " mean ",    " would ",  " might ", " nor ",    " says ",   " like "};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return tail.find(word) != std::string::npos; });
}

}  // namespace

bool IsMention(std::string_view line, std::size_t at) {
  if (IsComment(line) || IsQuoted(line, at)) return true;
  const std::string before = Lower(WithoutMarks(line.substr(0, at)));
  if (before.find_first_not_of(' ') == std::string::npos) return false;
  if (OpensAMention(before) || IsInCommand(before)) return true;
  // A program that asks has named itself before, with a colon, or a call with its brackets.
  if (before.find("? ") != std::string::npos && before.find_first_of(":(") == std::string::npos) {
    return true;
  }
  return IsDeniedOrExplained(before);
}

}  // namespace gpuwhy
