#include <array>
#include <map>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/host_table.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::size_t kLongestName = 300;

/// "filer:/export mounted on /data:".
bool IsMountLine(std::string_view line) {
  return Holds(line, " mounted on ") && Holds(line, ":/") && Trim(line).ends_with(':');
}

/// "read:   ops/s   kB/s ... avg RTT (ms)": the operation's name; empty for other lines.
std::string_view OperationOf(std::string_view line) {
  if (!Holds(line, "RTT")) return {};
  const std::string_view text = Trim(line);
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 24 || !Holds(text, "ops/s"))
    return {};
  return text.substr(0, colon);
}

bool IsBacklogHeader(std::string_view line) { return Holds(line, "rpc bklog"); }

/// The numbers of a row; shares in parentheses ("0 (0.0%)") are left out. Empty for other lines.
std::vector<double> NumbersIn(std::string_view line) {
  std::vector<double> numbers;
  for (const std::string_view cell : Fields(line)) {
    if (cell.front() == '(' || cell.back() == ')') continue;
    const std::optional<double> number = HostNumber(cell);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

bool MayBelong(std::string_view line) {
  return Trim(line).empty() || IsMountLine(line) || !OperationOf(line).empty() ||
         IsBacklogHeader(line) || !NumbersIn(line).empty() || IsStampLine(line);
}

struct NfsMount {
  std::string point, source;
};

NfsMount MountOf(std::string_view line) {
  constexpr std::string_view kWords = " mounted on ";
  std::string_view text = Trim(line);
  text.remove_suffix(1);
  const std::size_t at = text.rfind(kWords);
  // Every row repeats them: what is longer is no name of a mount.
  return {std::string(text.substr(at + kWords.size()).substr(0, kLongestName)),
          std::string(Trim(text.substr(0, at)).substr(0, kLongestName))};
}

/// Columns: ops/s, kB/s, kB/op, retrans, avg RTT, avg exe; newer ones end in queue and errors.
void ReadOperation(const std::vector<double>& numbers, HostRow& row) {
  row.Set(F::kOps, numbers[0]);
  row.Set(F::kRate, numbers[1] * kKibi);
  // Calls were sent only where there were any: a share of nothing is not told.
  if (numbers[0] > 0) {
    row.Set(F::kRtt, numbers[4] * kMilliseconds);
    row.Set(F::kExe, numbers[5] * kMilliseconds);
  }
}

/// "0 (0.0%)": the share, which is of the calls of the same report.
std::optional<double> RetransmittedOf(std::string_view line) {
  const std::size_t open = line.find('(');
  if (open == std::string_view::npos) return std::nullopt;
  std::string_view share = line.substr(open + 1, line.find(')', open) - open - 1);
  const std::optional<double> percent = HostNumber(Trim(share));
  if (!percent) return std::nullopt;
  return *percent * kPercent;
}

}  // namespace

std::optional<Match> RecogniseNfsiostat(const Section& section, std::size_t from) {
  std::size_t first = from;
  while (first < section.size() && OperationOf(section[first]).empty() &&
         !IsBacklogHeader(section[first]))
    ++first;
  if (first == section.size()) return std::nullopt;
  // The mount is named a few lines above.
  std::size_t begin = first;
  for (std::size_t back = 1; back <= 4 && back <= first - from; ++back) {
    if (IsMountLine(section[first - back])) begin = first - back;
  }
  std::size_t end = first + 1;
  for (std::size_t i = first + 1; i < section.size() && MayBelong(section[i]); ++i) {
    if (!Trim(section[i]).empty()) end = i + 1;
  }
  return Match{begin, end, 85};
}

void ReadNfsiostat(const Section& section, const Match& match, Pasted& into,
                   std::vector<Problem>& /*problems*/) {
  NfsMount mount;
  std::string_view operation;
  std::map<std::pair<std::string, std::string>, std::uint32_t> samples;
  for (std::size_t i = match.first; i < match.end && into.host.size() < kMostHostRows; ++i) {
    const std::string_view line = section[i];
    if (IsMountLine(line)) mount = MountOf(line);
    const std::string_view named = OperationOf(line);
    const std::vector<double> numbers = NumbersIn(line);
    if (!operation.empty() && numbers.size() >= 6) {
      HostRow row = StartHostRow(section, i, HostTable::kNfs, "nfsiostat");
      row.name = mount.point;
      row.Set(F::kOperation, std::string(operation));
      if (!mount.source.empty()) row.Set(F::kSource, mount.source);
      row.sample = samples[{mount.point, std::string(operation)}]++;
      // The first report is a mean since the mount.
      row.span = row.sample == 0 ? ReportSpan::kSinceStart : ReportSpan::kInterval;
      ReadOperation(numbers, row);
      if (const std::optional<double> share = RetransmittedOf(line)) row.Set(F::kRetrans, *share);
      into.host.push_back(std::move(row));
    }
    operation = named;
  }
}

}  // namespace gpuwhy
