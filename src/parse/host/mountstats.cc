// /proc/PID/mountstats: counters since the mount. Two of one mount give what happened between them.
#include <array>
#include <map>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::size_t kMostCounters = 8;
constexpr std::size_t kLongestName = 300;

struct Calls {
  double ops = 0, sent = 0, bytes = 0, rtt_ms = 0, exe_ms = 0;
};

struct Look {
  double age_s = 0;
  Calls reads;
};

bool IsDeviceLine(std::string_view line) {
  return Holds(line, " mounted on ") && Holds(line, " with fstype nfs") &&
         Trim(line).starts_with("device ");
}

struct NfsMount {
  std::string point, source;
};

NfsMount MountOf(std::string_view line) {
  constexpr std::string_view kOn = " mounted on ";
  const std::string_view text = Trim(line);
  const std::size_t on = text.find(kOn);
  const std::size_t end = text.find(" with fstype ");
  if (on == std::string_view::npos || on < 7 || end < on + kOn.size()) return {};
  // Every row repeats them: what is longer is no name of a mount.
  const std::string_view point = text.substr(on + kOn.size(), end - on - kOn.size());
  return {std::string(point.substr(0, kLongestName)),
          std::string(text.substr(7, on - 7).substr(0, kLongestName))};
}

/// "READ: ops sent timeouts bytes-out bytes-in queue rtt execute [errors]".
std::optional<Calls> CallsOf(std::string_view line, std::string_view name) {
  const std::string_view text = Trim(line);
  if (!text.starts_with(name) || text.size() <= name.size() || text[name.size()] != ':')
    return std::nullopt;
  std::array<double, kMostCounters> numbers{};
  std::size_t n = 0;
  for (const std::string_view cell : Fields(text.substr(name.size() + 1))) {
    const std::optional<double> number = HostNumber(cell);
    if (!number) return std::nullopt;
    if (n < numbers.size()) numbers[n++] = *number;
  }
  if (n < kMostCounters) return std::nullopt;
  return Calls{numbers[0], numbers[1], numbers[4], numbers[6], numbers[7]};
}

Calls Less(const Calls& now, const Calls& before) {
  return {now.ops - before.ops, now.sent - before.sent, now.bytes - before.bytes,
          now.rtt_ms - before.rtt_ms, now.exe_ms - before.exe_ms};
}

bool WentBackwards(const Calls& calls) {
  return calls.ops < 0 || calls.sent < 0 || calls.bytes < 0 || calls.rtt_ms < 0 || calls.exe_ms < 0;
}

void Write(const Calls& calls, double seconds, HostRow& row) {
  if (seconds > 0) {
    row.Set(F::kOps, calls.ops / seconds);
    row.Set(F::kRate, calls.bytes / seconds);
  }
  if (calls.ops <= 0) return;
  row.Set(F::kRtt, calls.rtt_ms / calls.ops * kMilliseconds);
  row.Set(F::kExe, calls.exe_ms / calls.ops * kMilliseconds);
  if (calls.sent >= calls.ops) row.Set(F::kRetrans, (calls.sent - calls.ops) / calls.ops);
}

}  // namespace

std::optional<Match> RecogniseMountstats(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && !IsDeviceLine(section[first])) ++first;
  if (first == section.size()) return std::nullopt;
  // The second look at the counters may follow after anything else.
  return Match{first, section.size(), 70};
}

void ReadMountstats(const Section& section, const Match& match, Pasted& into,
                    std::vector<Problem>& /*problems*/) {
  std::map<std::string, Look> before;
  std::map<std::string, std::uint32_t> samples;
  NfsMount mount;
  double age = 0;
  for (std::size_t i = match.first; i < match.end && into.host.size() < kMostHostRows; ++i) {
    const std::string_view text = Trim(section[i]);
    if (IsDeviceLine(text)) {
      mount = MountOf(text);
      age = 0;
    }
    if (text.starts_with("age:")) age = HostNumber(Trim(text.substr(4))).value_or(0);
    const std::optional<Calls> calls = CallsOf(text, "READ");
    if (!calls || mount.point.empty()) continue;
    HostRow row = StartHostRow(section, i, HostTable::kNfs, "mountstats");
    row.name = mount.point;
    row.Set(F::kOperation, std::string("read"));
    row.Set(F::kSource, mount.source);
    row.sample = samples[mount.point]++;
    row.span = ReportSpan::kSinceStart;
    const auto last = before.find(mount.point);
    const bool later = last != before.end() && age > last->second.age_s;
    if (later && !WentBackwards(Less(*calls, last->second.reads))) {
      row.span = ReportSpan::kInterval;
      Write(Less(*calls, last->second.reads), age - last->second.age_s, row);
    } else {
      Write(*calls, age, row);
    }
    before[mount.point] = {age, *calls};
    into.host.push_back(std::move(row));
  }
}

}  // namespace gpuwhy
