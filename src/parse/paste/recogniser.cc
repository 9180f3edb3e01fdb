#include "parse/paste/recogniser.h"

#include <algorithm>
#include <utility>

namespace gpuwhy {
namespace {

// A hostile file must not make a million matches out of a million lines.
constexpr std::size_t kMostMatches = 20'000;

struct Found {
  const PasteFormat* format = nullptr;
  Match match;
};

void FindAll(const Section& section, std::span<const PasteFormat> formats,
             std::vector<Found>& found) {
  for (const PasteFormat& format : formats) {
    std::size_t from = 0;
    for (std::size_t n = 0; n < kMostMatches && from < section.size(); ++n) {
      const std::optional<Match> match = format.recognise(section, from);
      if (!match || match->end <= from) break;
      found.push_back({&format, *match});
      from = match->end;
    }
  }
}

/// The better match keeps its lines; one that overlaps it is dropped.
std::vector<Found> WithoutOverlap(std::vector<Found> found, std::size_t lines) {
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return a.match.score > b.match.score; });
  std::vector<bool> taken(lines, false);
  std::vector<Found> kept;
  for (const Found& one : found) {
    const auto first = taken.begin() + static_cast<std::ptrdiff_t>(one.match.first);
    const auto end = taken.begin() + static_cast<std::ptrdiff_t>(std::min(one.match.end, lines));
    if (!one.format->shares_lines) {
      if (std::find(first, end, true) != end) continue;
      std::fill(first, end, true);
    }
    kept.push_back(one);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [](const Found& a, const Found& b) { return a.match.first < b.match.first; });
  return kept;
}

}  // namespace

PasteReport ReadPaste(const std::string& name, std::string_view bytes, Pasted& into) {
  PasteReport report;
  const Section section(name, bytes);
  std::vector<Found> found;
  FindAll(section, DeviceFormats(), found);
  FindAll(section, HostFormats(), found);
  FindAll(section, LogFormats(), found);
  for (const Found& one : WithoutOverlap(std::move(found), section.size())) {
    one.format->read(section, one.match, into, report.problems);
    const std::string format(one.format->name);
    if (format.empty()) continue;
    if (std::find(report.formats.begin(), report.formats.end(), format) == report.formats.end()) {
      report.formats.push_back(format);
    }
  }
  into.any = true;
  return report;
}

}  // namespace gpuwhy
