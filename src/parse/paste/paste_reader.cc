#include "parse/paste/paste_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/i18n.h"
#include "parse/paste/signs.h"

namespace gpuwhy {

struct PasteReader::Found {
  const PasteFormat* format = nullptr;
  Match match;
};

namespace {

// A hostile file must not make a million matches out of a million lines.
constexpr std::size_t kMostMatches = 20'000;
// Two hours of eight GPUs, each second; about 30 MB.
constexpr std::size_t kMostLooks = 60'000;

/// The better match keeps its lines; one that overlaps it is dropped.
template <class Found>
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

/// Where a piece ends, as an index of a line, and what of it goes into the next one.
struct Cut {
  std::size_t end = 0, head_lines = 0;
  std::string carried;
};

/// An output that reaches the end of the piece may go on in the next one: it is left to it where it
/// began in the second half; of a longer one the head is repeated.
Cut CutOf(const Section& section, const PasteFormat& format, const Match& match) {
  Cut cut;
  cut.end = section.size();
  if (match.end + 2 < section.size()) return cut;
  const std::size_t begin = section.BeginOf(match.first);
  if (format.head_lines > 0) {
    const std::string_view head =
        section.Text().substr(begin, section.BeginOf(match.first + format.head_lines) - begin);
    // What is carried must leave room for what follows.
    if (head.size() > section.Text().size() / 4) return cut;
    cut.carried = head;
    cut.head_lines = format.head_lines;
  } else if (begin > section.Text().size() / 2) {
    cut.end = match.first;
    cut.carried = section.Text().substr(begin);
  }
  return cut;
}

/// The number of the line after the piece.
std::uint32_t NextNumber(const Section& section, const Cut& cut) {
  std::uint32_t next = 0;
  if (cut.end < section.size()) {
    next = section.Number(cut.end);
  } else {
    const bool whole = section.Text().ends_with('\n');
    next = section.Number(section.size() - 1) + (whole ? 1 : 0);
  }
  // Lines that are repeated before it must not move the others.
  return next - std::min(next - 1, static_cast<std::uint32_t>(cut.head_lines));
}

}  // namespace

PasteReader::PasteReader(std::string name, Pasted& into, std::size_t piece)
    : name_(std::move(name)),
      into_(into),
      piece_(piece),
      search_(SignWords()),
      log_(name_, search_),
      thinner_(into.gpus.size(), kMostLooks) {}

std::vector<PasteReader::Found> PasteReader::Recognise(const Section& section,
                                                       std::uint32_t signs) {
  std::vector<Found> found;
  const auto find_all = [&](const PasteFormat& format) {
    if (format.signs != 0 && (format.signs & signs) == 0) return;
    std::size_t from = 0;
    while (matches_ < kMostMatches && from < section.size()) {
      const std::optional<Match> match = format.recognise(section, from);
      if (!match || match->end <= from) break;
      found.push_back({&format, *match});
      from = match->end;
      ++matches_;
    }
  };
  std::ranges::for_each(DeviceFormats(), find_all);
  std::ranges::for_each(HostFormats(), find_all);
  return WithoutOverlap(std::move(found), section.size());
}

void PasteReader::Piece(std::string_view text, bool is_last) {
  const Section section(name_, text, line_);
  carried_.clear();
  if (section.size() == 0) return;
  WordsSeen words = search_.Search(section.Text());
  const std::vector<Found> found = Recognise(section, SignsIn(section, words.marks));
  Cut cut;
  cut.end = section.size();
  const auto last = std::find_if(found.rbegin(), found.rend(),
                                 [](const Found& one) { return !one.format->shares_lines; });
  if (!is_last && last != found.rend()) cut = CutOf(section, *last->format, last->match);
  for (const Found& one : found) {
    if (one.match.first >= cut.end) break;
    one.format->read(section, one.match, into_, report_.problems);
    // What only helps to judge others.
    if (one.format->name.empty()) continue;
    std::vector<std::string>& names = report_.formats;
    if (std::find(names.begin(), names.end(), one.format->name) != names.end()) continue;
    names.emplace_back(one.format->name);
    if (line_ == 1 && one.match.first == 0) ++formats_at_start_;
  }
  thinner_.Thin(into_.gpus);
  log_.Read(section, cut.end, std::move(words));
  line_ = NextNumber(section, cut);
  carried_ = std::move(cut.carried);
}

void PasteReader::Add(std::string_view bytes) {
  if (!started_ && !bytes.empty()) {
    started_ = true;
    wide_ = IsUtf16(bytes);
    if (wide_) bytes.remove_prefix(2);
  }
  if (!wide_) return AddText(bytes);
  std::string pairs = std::exchange(half_, {});
  pairs += bytes;
  if (pairs.size() % 2 != 0) {
    half_ = pairs.back();
    pairs.pop_back();
  }
  AddText(FromUtf16(pairs));
}

void PasteReader::AddText(std::string_view text) {
  while (!text.empty()) {
    const std::size_t taken = std::min(piece_ - pending_.size(), text.size());
    pending_ += text.substr(0, taken);
    text.remove_prefix(taken);
    if (pending_.size() < piece_) return;
    const std::size_t newline = pending_.rfind('\n');
    // A line that is longer than half a piece is cut.
    const bool at_line = newline != std::string::npos && newline > piece_ / 2;
    const std::size_t end = at_line ? newline + 1 : pending_.size();
    Piece(std::string_view(pending_).substr(0, end), false);
    pending_.replace(0, end, carried_);
  }
}

void PasteReader::FinishLog() {
  LogText log = log_.Finish();
  const LogContent content = ContentOf(log);
  if (content == LogContent::kNothing) return;
  into_.logs.texts.push_back(std::move(log));
  if (content != LogContent::kLog) return;
  report_.formats.insert(report_.formats.begin() + static_cast<std::ptrdiff_t>(formats_at_start_),
                         "log");
}

void PasteReader::SayWhatWasLeftOut() {
  if (thinner_.Stride() == 1) return;
  report_.problems.push_back(
      {0, Format(_("a long series: one look in {} at each GPU was used"), thinner_.Stride())});
}

PasteReport PasteReader::Finish(std::string_view rest) {
  if (!started_ && rest.size() <= piece_ && !IsUtf16(rest)) {
    Piece(rest, true);
  } else {
    Add(rest);
    Piece(pending_, true);
    pending_ = {};
  }
  FinishLog();
  SayWhatWasLeftOut();
  into_.any = true;
  return std::move(report_);
}

PasteReport ReadPaste(const std::string& name, std::string_view bytes, Pasted& into) {
  return PasteReader(name, into).Finish(bytes);
}

}  // namespace gpuwhy
