#include <map>
#include <string>

#include "base/text.h"
#include "parse/host/host_readers.h"
#include "parse/host/process_table.h"

namespace gpuwhy {

std::optional<Match> RecognisePs(const Section& section, std::size_t from) {
  Cells names;
  std::size_t first = from;
  for (; first < section.size(); ++first) {
    names = ProcessHeader(section[first]);
    if (!names.empty() && !IsTopHeader(names)) break;
  }
  if (first == section.size()) return std::nullopt;
  std::size_t end = first + 1;
  HostRow row;
  while (end < section.size() && ReadProcessRow(section, end, names, false, row)) ++end;
  return Match{first, end, 80};
}

void ReadPs(const Section& section, const Match& match, Pasted& into,
            std::vector<Problem>& /*problems*/) {
  const Cells names = ProcessHeader(section[match.first]);
  std::map<std::string, std::uint32_t> samples;
  for (std::size_t i = match.first + 1; i < match.end && into.host.size() < kMostHostRows; ++i) {
    HostRow row;
    if (!ReadProcessRow(section, i, names, false, row)) continue;
    // Its CPU time is a mean since the process started; the state is of now.
    row.span = ReportSpan::kSinceStart;
    row.sample = samples[row.name]++;
    into.host.push_back(std::move(row));
  }
}

}  // namespace gpuwhy
