// The variables of a job's environment that decide how it uses its GPUs and cores; nothing else of
// it is looked at twice, because environments hold passwords and tokens.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuwhy {

struct Variable {
  std::string name, value;
  friend bool operator==(const Variable&, const Variable&) = default;
};

/// Those of a fixed list of names, by name. separator: '\0' for /proc/PID/environ, '\n' for
/// settings files of NCCL (NAME=value lines, # starts a comment). Of two with one name the first
/// counts, as it does for getenv(). One whose value is longer than 128 bytes or has other bytes
/// than such settings have is left out.
[[nodiscard]] std::vector<Variable> KnownVariables(std::string_view text, char separator);

/// One line each, "NAME=value".
[[nodiscard]] std::string AsLines(const std::vector<Variable>& variables);

}  // namespace gpuwhy
