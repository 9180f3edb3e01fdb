#include "parse/logs/host_signs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "parse/line_reader.h"
#include "parse/logs/number_series.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 10U;
constexpr std::size_t kMostRows = 512;

/// Members of "{0, 1, 2}"; nullopt for other lines.
std::optional<std::size_t> SetSize(std::string_view line) {
  line = Trim(line);
  if (line.size() < 3 || line.front() != '{' || line.back() != '}') return std::nullopt;
  line = line.substr(1, line.size() - 2);
  std::size_t members = 0;
  while (!line.empty()) {
    if (!ParseNumber<std::uint32_t>(Trim(NextToken(line, ',')))) return std::nullopt;
    ++members;
  }
  return members;
}

struct ProcessRow {
  std::string gpu, name;
  std::int64_t pid = 0, mib = 0;
  QuotedLine quote;
};

/// "|    0   N/A  N/A   163   C   python   933MiB |"; blanks may be squeezed.
std::optional<ProcessRow> ProcessOf(std::string_view line, std::uint32_t number) {
  if (!Holds(line, "MiB")) return std::nullopt;
  std::vector<std::string_view> fields = Fields(line);
  std::erase_if(fields, [](std::string_view f) { return f == "|" || f == "N/A"; });
  if (fields.size() < 5 || (fields[2] != "C" && fields[2] != "C+G")) return std::nullopt;
  std::string_view used = fields.back();
  if (!used.ends_with("MiB")) return std::nullopt;
  used.remove_suffix(3);
  const std::optional<std::int64_t> pid = ParseNumber<std::int64_t>(fields[1]);
  const std::optional<std::int64_t> mib = ParseNumber<std::int64_t>(used);
  if (!ParseNumber<int>(fields[0]) || !pid || !mib || *mib <= 0) return std::nullopt;
  return ProcessRow{std::string(fields[0]), std::string(fields[3]), *pid, *mib,
                    Quote(number, line)};
}

/// Whether row is a context of a rank beside the main one: small, of the same program, started with
/// it. The context of CUDA alone takes 0.3 to 1.2 GiB, by board and libraries.
bool IsStray(const ProcessRow& row, const ProcessRow& main) {
  constexpr std::int64_t kContext = 1536;
  constexpr std::int64_t kPidsApart = 64;
  return &row != &main && row.gpu == main.gpu && row.name == main.name && row.mib <= kContext &&
         row.mib * 4 <= main.mib && std::abs(row.pid - main.pid) <= kPidsApart;
}

/// "10:11:12" of "10:11:12     all   26.00"; empty where the line begins with its name.
std::string_view FirstWord(std::string_view line) {
  line = Trim(line);
  const std::string_view word = line.substr(0, line.find(' '));
  return Holds(word, ":") ? word : std::string_view{};
}

bool IsPrompt(std::string_view line) {
  line = Trim(line);
  const std::size_t mark = line.find_first_of("#$");
  return mark != std::string_view::npos && (mark == 0 || Holds(line.substr(0, mark), "@"));
}

}  // namespace

std::optional<AffinityChange> FindAffinityChange(std::string_view text) {
  if (text.size() > kMostBytes || !Holds(text, "affinity")) return std::nullopt;
  std::optional<std::pair<std::size_t, QuotedLine>> before;
  LineReader lines(text);
  while (lines.Next()) {
    const std::optional<std::size_t> size = SetSize(lines.Line());
    if (!size) continue;
    const QuotedLine quote = Quote(lines.Number(), lines.Line());
    // A mask of a quarter and less is no spare core left out, but one that a library set.
    if (before && *size * 4 <= before->first) {
      return AffinityChange{before->first, *size, {before->second, quote}};
    }
    before = {*size, quote};
  }
  return std::nullopt;
}

std::optional<StrayContexts> FindStrayContexts(std::string_view text) {
  if (text.size() > kMostBytes || !Holds(text, "MiB")) return std::nullopt;
  std::vector<ProcessRow> rows;
  LineReader lines(text);
  while (lines.Next() && rows.size() < kMostRows) {
    if (std::optional<ProcessRow> row = ProcessOf(lines.Line(), lines.Number()))
      rows.push_back(std::move(*row));
  }
  for (const ProcessRow& main : rows) {
    StrayContexts found;
    std::int64_t least = 0;
    std::int64_t most = 0;
    for (const ProcessRow& row : rows) {
      if (!IsStray(row, main)) continue;
      least = found.count == 0 ? row.mib : std::min(least, row.mib);
      most = std::max(most, row.mib);
      ++found.count;
      if (found.quotes.size() < 4) found.quotes.push_back(row.quote);
    }
    if (found.count < 3 || most * 10 > least * 11) continue;
    found.quotes.push_back(main.quote);
    return found;
  }
  return std::nullopt;
}

std::optional<QuotedLine> FindPeermemAbsent(std::string_view text) {
  if (text.size() > kMostBytes || !Holds(text, "lsmod")) return std::nullopt;
  std::optional<QuotedLine> asked;
  LineReader lines(text);
  while (lines.Next()) {
    const std::string_view line = lines.Line();
    if (asked && IsPrompt(line)) return asked;
    asked.reset();
    const bool search = Holds(line, "lsmod") && Holds(line, "grep") && IsPrompt(line);
    if (search && (Holds(line, "nvidia_peermem") || Holds(line, "peermem")))
      asked = Quote(lines.Number(), line);
  }
  return std::nullopt;
}

std::optional<QuotedLine> FindSinceBoot(std::string_view text, std::string_view tool) {
  std::string_view heading;
  if (tool == "nfsiostat") heading = "rpc bklog";
  if (tool == "iostat") heading = "r_await";
  if (tool == "mpstat") heading = "%iowait";
  if (heading.empty() || text.size() > kMostBytes) return std::nullopt;
  // With an interval mpstat prints its header once and closes with averages.
  if (tool == "mpstat" && Holds(text, "Average")) return std::nullopt;
  std::optional<QuotedLine> only;
  std::string header_stamp;
  std::size_t rows = 0;
  LineReader lines(text);
  while (lines.Next()) {
    if (Holds(lines.Line(), " all ") && tool == "mpstat") {
      // With an interval the header bears the time of the start, the row that of its end.
      const std::string_view stamp = FirstWord(lines.Line());
      if (++rows > 1 || (!stamp.empty() && stamp != header_stamp)) return std::nullopt;
    }
    if (!Holds(lines.Line(), heading)) continue;
    if (only) return std::nullopt;
    header_stamp = std::string(FirstWord(lines.Line()));
    only = Quote(lines.Number(), lines.Line());
  }
  return only;
}

}  // namespace gpuwhy
