#include "parse/procfs/stat.h"

#include <array>
#include <optional>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/line_reader.h"

namespace gpuwhy {
namespace {

constexpr const char* kPath = "/proc/stat";

// In the order of the file.
constexpr std::array<std::uint64_t CpuSample::*, 8> kColumns = {
    &CpuSample::user,   &CpuSample::nice, &CpuSample::system,  &CpuSample::idle,
    &CpuSample::iowait, &CpuSample::irq,  &CpuSample::softirq, &CpuSample::steal};
constexpr std::size_t kOldestColumns = 4;

bool ReadTimes(std::string_view line, CpuSample& totals) {
  const std::vector<std::string_view> fields = Fields(line);
  if (fields.size() < kOldestColumns) return false;
  for (std::size_t i = 0; i < kColumns.size() && i < fields.size(); ++i) {
    const std::optional<std::uint64_t> ticks = ParseNumber<std::uint64_t>(fields[i]);
    if (!ticks) return false;
    totals.*kColumns.at(i) = *ticks;
  }
  return true;
}

template <class T>
bool ReadNumber(std::string_view text, T& value) {
  const std::optional<T> number = ParseNumber<T>(Trim(text));
  value = number.value_or(T{0});
  return number.has_value();
}

struct Seen {
  bool times = false, switches = false, running = false, blocked = false;
};

/// False where the line is one that we need and it is damaged.
bool ReadLine(std::string_view line, ProcStat& stat, Seen& seen) {
  const std::string_view key = NextToken(line, ' ');
  if (key == "cpu") return seen.times = ReadTimes(line, stat.totals);
  if (key == "ctxt") return seen.switches = ReadNumber(line, stat.totals.context_switches);
  if (key == "procs_running") return seen.running = ReadNumber(line, stat.totals.running);
  if (key == "procs_blocked") return seen.blocked = ReadNumber(line, stat.totals.blocked);
  if (key.starts_with("cpu")) ++stat.cpus;
  return true;
}

}  // namespace

Result<ProcStat> ParseProcStat(std::string_view text) {
  ProcStat stat;
  Seen seen;
  LineReader lines(text);
  while (lines.Next()) {
    if (!ReadLine(lines.Line(), stat, seen)) {
      return LineError(kPath, lines.Number(), _("is not as the kernel writes it"));
    }
  }
  if (!seen.times || !seen.switches || !seen.running || !seen.blocked) {
    return Error{_("lacks a line cpu, ctxt, procs_running or procs_blocked"), kPath, 0};
  }
  return stat;
}

}  // namespace gpuwhy
