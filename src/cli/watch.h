// What diagnose and record share: the policy, the process asked for, the live run.
#pragma once

#include <atomic>
#include <string>

#include "base/result.h"
#include "cli/options.h"
#include "diagnose/policy.h"

namespace gpuwhy {

struct PolicyText {
  std::string toml;  ///< empty: defaults
  Policy policy;
};

/// path empty: the defaults. Error: unreadable, or not a policy.
[[nodiscard]] Result<PolicyText> ReadPolicy(const std::string& path);
/// Error: there is no such process. pid 0 is none in particular.
[[nodiscard]] Status CheckProcess(std::int32_t pid);
/// Error: output (empty: stdout) is `kept`, which it would overwrite.
[[nodiscard]] Status CheckOutput(const std::string& output, const std::string& kept);
/// Prints "gpuwhy: <error>" to stderr; returns kExitUsage.
[[nodiscard]] int Refuse(const Error& error);

}  // namespace gpuwhy
