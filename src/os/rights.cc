#include "os/rights.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"

namespace gpuwhy {
namespace {

constexpr const char* kStatusPath = "/proc/self/status";
constexpr const char* kScopePath = "/proc/sys/kernel/yama/ptrace_scope";
constexpr unsigned kCapSysPtrace = 19;  // linux/capability.h

/// What follows "key:" in a status file; empty where there is no such line.
std::string_view StatusLine(std::string_view status, std::string_view key) {
  while (!status.empty()) {
    std::string_view line = NextLine(status);
    if (NextToken(line, ':') == key) return Trim(line);
  }
  return {};
}

Reading<std::uint32_t> EffectiveUid(std::string_view status) {
  // Real, effective, saved, file system.
  const std::vector<std::string_view> ids = Fields(StatusLine(status, "Uid"));
  const std::optional<std::uint32_t> uid =
      ids.size() < 2 ? std::nullopt : ParseNumber<std::uint32_t>(ids[1]);
  if (!uid) return Missing{Why::kFailed, std::string(kStatusPath) + ": Uid"};
  return *uid;
}

Reading<bool> HasPtrace(std::string_view status) {
  const std::optional<std::uint64_t> effective =
      ParseNumber<std::uint64_t>(StatusLine(status, "CapEff"), 16);
  if (!effective) return Missing{Why::kFailed, std::string(kStatusPath) + ": CapEff"};
  return (*effective >> kCapSysPtrace & 1U) != 0;
}

Reading<std::uint32_t> PtraceScope(FileTree& files) {
  const Result<std::string> text = files.Read(kScopePath);
  if (!text) return ToMissing(text.error());
  const std::optional<std::uint32_t> scope = ParseNumber<std::uint32_t>(Trim(*text));
  if (!scope) return Missing{Why::kFailed, kScopePath};
  return *scope;
}

}  // namespace

Rights ReadRights(FileTree& files) {
  Rights rights;
  const Result<std::string> status = files.Read(kStatusPath);
  if (status) {
    rights.uid = EffectiveUid(*status);
    rights.ptrace = HasPtrace(*status);
  } else {
    rights.uid = ToMissing(status.error());
    rights.ptrace = ToMissing(status.error());
  }
  rights.ptrace_scope = PtraceScope(files);
  return rights;
}

}  // namespace gpuwhy
