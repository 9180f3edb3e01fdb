// Words that all views of a trace share. Translated.
#pragma once

#include <cstdint>
#include <string>

#include "trace/anatomy.h"
#include "trace/what_if.h"

namespace gpuwhy {

/// "device computes", "waits for input", ...
[[nodiscard]] std::string PartText(trace::Part part);
/// "without waiting for input", ...
[[nodiscard]] std::string ChangeText(trace::Change change);
/// "12.3 ms".
[[nodiscard]] std::string DurationText(std::int64_t ns);
/// Kernels' names run to kilobytes of template arguments: the beginning, which tells them apart.
[[nodiscard]] std::string ShortName(const std::string& name);

}  // namespace gpuwhy
