// Tells a program's message from a text that only speaks of it: a runbook, a question, a denial, a
// comment, source code, a command that looks for it.
#pragma once

#include <cstddef>
#include <string_view>

namespace gpuwhy {

/// line: one line; at: where the message begins in it. Wrong where a program prints its message
/// inside a sentence of the user's kind ("if ...", "no ...") or in back quotes: then a fault is not
/// seen, which costs less than one that is not there.
[[nodiscard]] bool IsMention(std::string_view line, std::size_t at);

}  // namespace gpuwhy
