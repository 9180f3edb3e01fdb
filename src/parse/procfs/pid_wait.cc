#include "parse/procfs/pid_wait.h"

#include <optional>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

std::optional<std::uint64_t> Hex(std::string_view text) {
  if (text.substr(0, 2) != "0x") return std::nullopt;
  return ParseNumber<std::uint64_t>(text.substr(2), 16);
}

}  // namespace

Result<BlockedCall> ParseBlockedCall(std::string_view text) {
  const Error malformed{_("this is not the content of a syscall file"), "", 0};
  text = Trim(text);
  BlockedCall call;
  if (text == "running") return call;
  const std::optional<std::int64_t> number = ParseNumber<std::int64_t>(NextToken(text, ' '));
  if (!number) return malformed;
  call.number = *number;
  if (*number < 0) {
    call.state = BlockedCall::State::kOutside;
    return call;
  }
  call.state = BlockedCall::State::kInCall;
  for (std::uint64_t& arg : call.args) {
    const std::optional<std::uint64_t> value = Hex(NextToken(text, ' '));
    if (!value) return malformed;
    arg = *value;
  }
  return call;
}

std::string_view ParseWchan(std::string_view text) {
  text = Trim(text);
  return text == "0" ? std::string_view{} : text;
}

}  // namespace gpuwhy
