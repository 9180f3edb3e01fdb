#include "cli/watch.h"

#include <cerrno>
#include <csignal>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/read_file.h"

namespace gpuwhy {

Result<PolicyText> ReadPolicy(const std::string& path) {
  if (path.empty()) return PolicyText{};
  const Result<std::string> toml = ReadNamedFile(path, nullptr, kLargestPolicy);
  if (!toml.ok()) return toml.error();
  const Result<Policy> policy = ParsePolicy(*toml, path);
  if (!policy.ok()) return policy.error();
  return PolicyText{*toml, *policy};
}

Status CheckProcess(std::int32_t pid) {
  // EPERM means that it is there and another user's.
  if (pid == 0 || kill(pid, 0) == 0 || errno != ESRCH) return Done{};
  return Error{Format(_("there is no process {}"), pid), "--pid", 0};
}

Status CheckOutput(const RenderOptions& render, const std::vector<std::string>& kept) {
  return CheckWritten("--output", render.output, kept);
}

Status CheckWritten(const char* option, const std::string& file,
                    const std::vector<std::string>& kept) {
  for (const std::string& one : kept) {
    if (file.empty() || one.empty() || one == "-" || !IsSameFile(file, one)) continue;
    return Error{Format(_("it would overwrite {}, which this command reads or records"), one),
                 Format("{} {}", option, file), 0};
  }
  return Done{};
}

int Refuse(const Error& error) {
  Say(Format("gpuwhy: {}", error.Text()));
  return kExitUsage;
}

}  // namespace gpuwhy
