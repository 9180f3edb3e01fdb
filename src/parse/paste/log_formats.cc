// The table of formats of training logs, host tools, kernel and container messages.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "parse/logs/log_text.h"
#include "parse/logs/training.h"
#include "parse/paste/recogniser.h"

namespace gpuwhy {
namespace {

enum class Content : unsigned char { kNothing, kBoards, kLog };

/// The name of a board stands in many outputs. It helps to judge messages in others, and makes no
/// log of this one.
bool NamesBoard(const StatementSeen& seen) {
  return seen.statement == Statement::kGraphicsCard || seen.statement == Statement::kSwitchBoard;
}

Content ContentOf(const LogText& log) {
  const bool tells = log.training || !log.refused.empty() || !log.profiles.empty() ||
                     !log.bandwidths.empty() || !log.ports.empty() || log.pressure || log.memory ||
                     log.environment || log.devices || !log.summary_tool.empty() || log.affinity ||
                     log.stray || log.peermem_absent;
  if (tells || !std::all_of(log.statements.begin(), log.statements.end(), NamesBoard)) {
    return Content::kLog;
  }
  return log.statements.empty() ? Content::kNothing : Content::kBoards;
}

/// The section as one text whose lines count as in the file. Marks of quoting and what a collector
/// put before each line are left out.
std::string Bare(const Section& section) {
  std::string text;
  std::uint32_t number = 1;
  for (std::size_t i = 0; i < section.size(); ++i) {
    for (; number < section.Number(i); ++number) text.push_back('\n');
    text += section[i];
    if (i + 1 < section.size() && section.Number(i + 1) == number) text.push_back('\r');
  }
  return text;
}

LogText ReadSection(const Section& section) {
  if (!section.Quoted() && !section.Prefixed()) {
    return ReadLogText(section.Text(), section.Name());
  }
  LogText log = ReadLogText(Bare(section), section.Name());
  // The collector's stamps tell how long steps took where the log's own lines have none.
  if (section.Prefixed() && log.training && log.training->stamp_step_s.count == 0) {
    const std::optional<TrainingLog> stamped = ParseTrainingLog(section.Text());
    if (stamped && stamped->step_s.count == log.training->step_s.count)
      log.training->stamp_step_s = stamped->stamp_step_s;
  }
  return log;
}

/// Everything in a text is read in one go, whatever lies between: messages stand inside of other
/// outputs. What a text is, its beginning and its end tell.
Content ContentOf(const Section& section) {
  constexpr std::size_t kLook = std::size_t{256} << 10U;
  const std::string_view text = section.Text();
  if (text.size() <= 2 * kLook || section.Quoted() || section.Prefixed()) {
    return ContentOf(ReadSection(section));
  }
  const Content begin = ContentOf(ReadLogText(text.substr(0, kLook), section.Name()));
  if (begin == Content::kLog) return begin;
  return std::max(begin, ContentOf(ReadLogText(text.substr(text.size() - kLook), section.Name())));
}

template <Content kWanted>
std::optional<Match> RecogniseWhole(const Section& section, std::size_t from) {
  if (from != 0 || section.size() == 0 || ContentOf(section) != kWanted) return std::nullopt;
  return Match{0, section.size(), 10};
}

void ReadLog(const Section& section, const Match& /*match*/, Pasted& into,
             std::vector<Problem>& /*problems*/) {
  into.logs.texts.push_back(ReadSection(section));
}

constexpr PasteFormat kFormats[] = {
    {"log", RecogniseWhole<Content::kLog>, ReadLog, true},
    {"", RecogniseWhole<Content::kBoards>, ReadLog, true},
};

}  // namespace

std::span<const PasteFormat> LogFormats() { return kFormats; }

}  // namespace gpuwhy
