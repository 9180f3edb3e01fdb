#include "parse/procfs/pid_status.h"

#include <limits>
#include <optional>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/procfs/cpu_list.h"

namespace gpuwhy {
namespace {

template <class T>
Reading<T> NumberOf(std::string_view text, std::string_view name) {
  if (const std::optional<T> value = ParseNumber<T>(text)) return *value;
  return {Why::kFailed, std::string(name)};
}

template <class T>
Reading<T> Absent(std::string_view name) {
  return {Why::kNotPresent, std::string(name)};
}

// "12345 kB"
Reading<std::uint64_t> Kibibytes(std::string_view text, std::string_view name) {
  return NumberOf<std::uint64_t>(NextToken(text, ' '), name);
}

// Bits set in "ffffffff,0000000f": only where the list is not there.
std::optional<std::uint32_t> CountMask(std::string_view mask) {
  std::uint32_t count = 0;
  for (const char c : mask) {
    if (c == ',') continue;
    const std::optional<unsigned> digit = ParseNumber<unsigned>(std::string_view(&c, 1), 16);
    if (!digit) return std::nullopt;
    for (unsigned bits = *digit; bits != 0; bits &= bits - 1) ++count;
  }
  return count;
}

void TakeCpuLine(std::string_view key, std::string_view value, PidStatus& status) {
  if (key == "Cpus_allowed_list") {
    if (const Result<std::vector<CpuRange>> cpus = ParseCpuList(value))
      status.cpus_allowed = CountCpus(*cpus);
  } else if (key == "Cpus_allowed") {
    if (const std::optional<std::uint32_t> count = CountMask(value)) status.cpus_allowed = *count;
  }
}

void TakeNumberLine(std::string_view key, std::string_view value, PidStatus& status) {
  if (key == "Uid") {  // real, effective, saved, file system
    const std::vector<std::string_view> uids = Fields(value);
    if (uids.size() > 1) status.uid = NumberOf<std::uint32_t>(uids[1], key);
  } else if (key == "Tgid") {
    status.process = NumberOf<std::int32_t>(value, key);
  } else if (key == "Threads") {
    status.threads = NumberOf<std::uint32_t>(value, key);
  } else if (key == "VmRSS") {
    status.resident_kib = Kibibytes(value, key);
  } else if (key == "VmSwap") {
    status.swapped_kib = Kibibytes(value, key);
  } else if (key == "voluntary_ctxt_switches") {
    status.voluntary = NumberOf<std::uint64_t>(value, key);
  } else if (key == "nonvoluntary_ctxt_switches") {
    status.involuntary = NumberOf<std::uint64_t>(value, key);
  }
}

std::vector<std::int32_t> Pids(std::string_view value) {
  std::vector<std::int32_t> pids;
  for (const std::string_view field : Fields(value)) {
    const std::optional<std::int32_t> pid = ParseNumber<std::int32_t>(field);
    if (!pid) return {};
    pids.push_back(*pid);
  }
  return pids;
}

// The value in the column after the name; the one after it is the hard limit.
Reading<std::uint64_t> SoftLimit(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view line = NextLine(text);
    if (!line.starts_with(name)) continue;
    const std::vector<std::string_view> fields = Fields(line.substr(name.size()));
    if (fields.empty()) break;
    if (fields[0] == "unlimited") return std::numeric_limits<std::uint64_t>::max();
    return NumberOf<std::uint64_t>(fields[0], name);
  }
  return Absent<std::uint64_t>(name);
}

}  // namespace

PidStatus ParsePidStatus(std::string_view text) {
  PidStatus status;
  status.process = Absent<std::int32_t>("Tgid");
  status.uid = Absent<std::uint32_t>("Uid");
  status.threads = Absent<std::uint32_t>("Threads");
  status.cpus_allowed = Absent<std::uint32_t>("Cpus_allowed");
  status.resident_kib = Absent<std::uint64_t>("VmRSS");
  status.swapped_kib = Absent<std::uint64_t>("VmSwap");
  status.voluntary = Absent<std::uint64_t>("voluntary_ctxt_switches");
  status.involuntary = Absent<std::uint64_t>("nonvoluntary_ctxt_switches");
  // The kernel escapes line ends in Name, so a hostile command can't forge a line.
  while (!text.empty()) {
    std::string_view line = NextLine(text);
    const std::string_view key = NextToken(line, ':');
    const std::string_view value = Trim(line);
    if (key.substr(0, 5) == "Cpus_") {
      TakeCpuLine(key, value, status);
    } else if (key == "NSpid") {
      status.namespace_pids = Pids(value);
    } else {
      TakeNumberLine(key, value, status);
    }
  }
  return status;
}

Result<SchedStat> ParseSchedStat(std::string_view text) {
  text = Trim(text);
  const std::optional<std::uint64_t> run = ParseNumber<std::uint64_t>(NextToken(text, ' '));
  const std::optional<std::uint64_t> delay = ParseNumber<std::uint64_t>(NextToken(text, ' '));
  const std::optional<std::uint64_t> slices = ParseNumber<std::uint64_t>(NextToken(text, ' '));
  if (!run || !delay || !slices)
    return Error{_("this is not the content of a schedstat file"), "", 0};
  return SchedStat{*run, *delay, *slices};
}

PidIo ParsePidIo(std::string_view text) {
  PidIo io;
  const struct {
    std::string_view key;
    Reading<std::uint64_t>* to;
  } lines[] = {{"rchar", &io.read_chars},      {"syscr", &io.read_calls},
               {"read_bytes", &io.read_bytes}, {"wchar", &io.write_chars},
               {"syscw", &io.write_calls},     {"write_bytes", &io.write_bytes}};
  for (const auto& line : lines) *line.to = Absent<std::uint64_t>(line.key);
  while (!text.empty()) {
    std::string_view rest = NextLine(text);
    const std::string_view key = NextToken(rest, ':');
    for (const auto& line : lines) {
      if (line.key == key) *line.to = NumberOf<std::uint64_t>(Trim(rest), key);
    }
  }
  return io;
}

Reading<std::uint64_t> ParseOpenFilesLimit(std::string_view text) {
  return SoftLimit(text, "Max open files");
}

Reading<std::uint64_t> ParseLockedMemoryLimit(std::string_view text) {
  return SoftLimit(text, "Max locked memory");
}

}  // namespace gpuwhy
