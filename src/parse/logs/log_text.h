// Everything that one handed-in text says, beside what the NVIDIA tools print.
#pragma once

#include <string_view>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// Pure. name: of the input. Runs every reader of this folder: a ticket mixes logs, messages and
/// tables. Time grows with the text, memory does not.
[[nodiscard]] LogText ReadLogText(std::string_view text, std::string_view name);

}  // namespace gpuwhy
