// What diagnose and record share: the policy, the process asked for, the live run.
#pragma once

#include <atomic>
#include <string>
#include <vector>

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
/// Error: --output is one of `kept`, by whichever path. Empty paths and "-" are no files.
[[nodiscard]] Status CheckOutput(const RenderOptions& render, const std::vector<std::string>& kept);
/// The same of another option that names a file to be written.
[[nodiscard]] Status CheckWritten(const char* option, const std::string& file,
                                  const std::vector<std::string>& kept);
/// Prints "gpuwhy: <error>" to stderr; returns kExitUsage.
[[nodiscard]] int Refuse(const Error& error);

}  // namespace gpuwhy
