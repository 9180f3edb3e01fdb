#include "cli/watch.h"

#include <cerrno>
#include <csignal>

#include "base/i18n.h"
#include "base/text.h"
#include "cli/output.h"
#include "cli/read_file.h"
#include "parse/procfs/pid_stat.h"
#include "parse/procfs/pid_status.h"

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
  if (pid == 0) return Done{};
  // EPERM means that it is there and another user's.
  if (kill(pid, 0) != 0 && errno == ESRCH) {
    return Error{Format(_("there is no process {}"), pid), "--pid", 0};
  }
  // Hidden (hidepid), or /proc is not mounted: the watch will say so.
  const Result<std::string> status = ReadNamedFile(Format("/proc/{}/status", pid));
  const Result<std::string> text = ReadNamedFile(Format("/proc/{}/stat", pid));
  if (!status.ok() || !text.ok()) return Done{};
  const Result<PidStat> stat = ParsePidStat(*text);
  if (!stat.ok()) return Done{};
  if (stat->state == 'Z' || stat->state == 'X') {
    return Error{
        Format(_("process {} has ended: its parent has not yet asked for its exit code"), pid),
        "--pid", 0};
  }
  const Reading<std::int32_t> process = ParsePidStatus(*status).process;
  if (process && *process != pid) {
    return Error{Format(_("{} is a thread of process {}: name that one"), pid, *process), "--pid",
                 0};
  }
  if (stat->kernel_thread) {
    return Error{Format(_("{} is a thread of the kernel: it is no job"), pid), "--pid", 0};
  }
  return Done{};
}

Status CheckOutput(const RenderOptions& render, const std::vector<std::string>& kept) {
  return CheckWritten("--output", render.output, kept);
}

Status CheckWritten(const char* option, const std::string& file,
                    const std::vector<std::string>& kept) {
  for (const std::string& input : kept) {
    if (file.empty() || input.empty() || input == "-" || !IsSameFile(file, input)) continue;
    return Error{Format(_("it would overwrite {}, which this command reads or records"), input),
                 Format("{} {}", option, file), 0};
  }
  return Done{};
}

int Refuse(const Error& error) {
  Say(Format("gpuwhy: {}", error.Text()));
  return kExitUsage;
}

}  // namespace gpuwhy
