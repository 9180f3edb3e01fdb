#include "parse/procfs/pid_stat.h"

#include <optional>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

// PF_KTHREAD of the kernel's sched.h; the flags are field 9 of stat.
constexpr std::uint64_t kKernelThreadFlag = 0x0020'0000;

// Fields behind the command, numbered as in proc(5): field 3 is the first.
class Tail {
 public:
  explicit Tail(std::string_view text) : fields_(Fields(Trim(text))) {}
  template <class T>
  [[nodiscard]] bool Take(std::size_t number, T& to) const {
    if (number - 3 >= fields_.size()) return false;
    const std::optional<T> value = ParseNumber<T>(fields_[number - 3]);
    if (value) to = *value;
    return value.has_value();
  }

 private:
  std::vector<std::string_view> fields_;
};

// The command may hold anything, so it ends at the last ')' of the whole text.
struct Parts {
  std::string_view pid, command, tail;
};

std::optional<Parts> Split(std::string_view text) {
  const std::size_t open = text.find(" (");
  const std::size_t close = text.rfind(") ");
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2)
    return std::nullopt;
  return Parts{text.substr(0, open), text.substr(open + 2, close - open - 2),
               text.substr(close + 2)};
}

Error Malformed() { return {_("this is not the content of a process's stat file"), "", 0}; }

}  // namespace

Result<PidStat> ParsePidStat(std::string_view text) {
  const std::optional<Parts> parts = Split(text);
  if (!parts || parts->tail.empty()) return Malformed();
  const std::optional<std::int32_t> pid = ParseNumber<std::int32_t>(parts->pid);
  if (!pid) return Malformed();
  PidStat stat;
  stat.pid = *pid;
  stat.command = parts->command;
  stat.state = parts->tail.front();
  const Tail tail(parts->tail);
  std::uint64_t flags = 0;
  const bool complete =
      tail.Take(4, stat.ppid) && tail.Take(5, stat.pgrp) && tail.Take(6, stat.session) &&
      tail.Take(9, flags) && tail.Take(12, stat.major_faults) && tail.Take(14, stat.user_ticks) &&
      tail.Take(15, stat.system_ticks) && tail.Take(16, stat.children_user_ticks) &&
      tail.Take(17, stat.children_system_ticks) && tail.Take(20, stat.threads) &&
      tail.Take(22, stat.start_ticks);
  if (!complete) return Malformed();
  stat.kernel_thread = (flags & kKernelThreadFlag) != 0;
  return stat;
}

char ParseStateLetter(std::string_view text) {
  const std::optional<Parts> parts = Split(text);
  return parts && !parts->tail.empty() ? parts->tail.front() : '\0';
}

}  // namespace gpuwhy
