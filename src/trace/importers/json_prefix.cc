#include "trace/importers/json_prefix.h"

namespace gpuwhy::trace {
namespace {

constexpr std::string_view kKey = "traceEvents";
constexpr std::string_view kBlank = " \t\r\n";

bool IsBlank(char c) { return kBlank.find(c) != std::string_view::npos; }

std::string_view TrimBlank(std::string_view text) {
  const std::size_t from = text.find_first_not_of(kBlank);
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(kBlank) - from + 1);
}

}  // namespace

void PrefixScanner::Step(char c) {
  if (in_string_) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
      key_read_ = depth_ == 1 && string_ == kKey;
      return;
    }
    if (string_.size() <= kKey.size()) string_ += c;
    return;
  }
  if (IsBlank(c)) return;
  if (c == '"') {
    in_string_ = true;
    string_.clear();
  } else if (c == '[' && after_key_) {
    state_ = State::kFound;
  } else if (c == '{' || c == '[') {
    ++depth_;
  } else if (c == '}' || c == ']') {
    if (--depth_ <= 0) state_ = State::kFailed;
  }
  after_key_ = c == ':' && key_read_;
  key_read_ = false;
}

std::size_t PrefixScanner::Feed(std::string_view piece) {
  for (std::size_t i = 0; i < piece.size(); ++i) {
    const char c = piece[i];
    if (state_ == State::kStart) {
      const bool mark = c == '\xef' || c == '\xbb' || c == '\xbf';  // a byte order mark
      if (IsBlank(c) || mark) continue;
      bare_ = c == '[';
      state_ = bare_ ? State::kFound : c == '{' ? State::kScan : State::kFailed;
      depth_ = 1;
    } else {
      Step(c);
    }
    if (state_ == State::kFound) return i + 1;
    if (state_ == State::kFailed) return i;
  }
  return piece.size();
}

std::string PrefixScanner::TakeMetadata(std::string_view used) const {
  return bare_ ? std::string() : std::string(used);
}

std::string JoinMetadata(std::string_view before, std::string_view after) {
  const std::size_t key = before.rfind("\"traceEvents\"");
  std::string_view head = TrimBlank(before.substr(0, key));
  while (!head.empty() && (head.front() == '{' || IsBlank(head.front()) || head.front() == '\xef' ||
                           head.front() == '\xbb' || head.front() == '\xbf')) {
    const bool open = head.front() == '{';
    head.remove_prefix(1);
    if (open) break;
  }
  head = TrimBlank(head);
  if (!head.empty() && head.back() == ',') head.remove_suffix(1);
  std::string_view tail = TrimBlank(after);
  if (!tail.empty() && tail.front() == ',') tail.remove_prefix(1);
  if (!tail.empty() && tail.back() == '}') tail.remove_suffix(1);
  tail = TrimBlank(tail);
  const std::string_view glue = head.empty() || tail.empty() ? "" : ",";
  std::string joined = "{";
  joined.append(head).append(glue).append(tail).append("}");
  return joined;
}

}  // namespace gpuwhy::trace
