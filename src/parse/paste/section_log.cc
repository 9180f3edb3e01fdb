#include "parse/paste/section_log.h"

#include <algorithm>
#include <optional>
#include <string>

namespace gpuwhy {
namespace {

/// The name of a board stands in many outputs. It helps to judge messages in others, and makes no
/// log of this one.
bool NamesBoard(const StatementSeen& seen) {
  return seen.statement == Statement::kGraphicsCard || seen.statement == Statement::kSwitchBoard;
}

/// The section as one text whose lines count as in the file. Marks of quoting and what a collector
/// put before each line are left out.
std::string Bare(const Section& section, std::size_t end) {
  std::string text;
  std::uint32_t number = section.Number(0);
  for (std::size_t i = 0; i < end; ++i) {
    for (; number < section.Number(i); ++number) text.push_back('\n');
    text += section[i];
    if (i + 1 < end && section.Number(i + 1) == number) text.push_back('\r');
  }
  text.push_back('\n');
  return text;
}

}  // namespace

namespace {

/// One look of free is a table of its own; more of them tell how memory goes.
bool IsTrend(const std::optional<MemoryTrend>& memory) { return memory && memory->used.size() > 1; }

}  // namespace

LogContent ContentOf(const LogText& log) {
  const bool tells = log.training || !log.refused.empty() || !log.profiles.empty() ||
                     !log.bandwidths.empty() || !log.ports.empty() || !log.pressures.empty() ||
                     IsTrend(log.memory) || log.environment || log.devices ||
                     !log.summary_tool.empty() || log.affinity || log.stray || log.peermem_absent;
  if (tells || !std::all_of(log.statements.begin(), log.statements.end(), NamesBoard)) {
    return LogContent::kLog;
  }
  return log.statements.empty() ? LogContent::kNothing : LogContent::kBoards;
}

void SectionLog::Read(const Section& section, std::size_t end, WordsSeen words) {
  if (section.size() == 0 || end == 0) return;
  const std::string_view text = section.Text().substr(0, section.BeginOf(end));
  const std::uint32_t first = section.Number(0);
  if (!section.Quoted() && !section.Prefixed()) {
    std::erase_if(words.statements,
                  [&](const NeedleSearch::Hit& hit) { return hit.at >= text.size(); });
    return log_.Read(text, first, words);
  }
  const std::string bare = Bare(section, end);
  log_.Read(bare, first, search_.Search(bare));
  if (!section.Prefixed()) return;
  prefixed_ = true;
  stamped_.Read(text, first, true);
}

bool SectionLog::Any() const {
  return log_.HasTraining() || ContentOf(log_.SoFar()) != LogContent::kNothing;
}

LogText SectionLog::Finish() {
  LogText log = log_.Finish();
  // The collector's stamps tell how long steps took where the log's own lines have none.
  if (prefixed_ && log.training && log.training->stamp_step_s.count == 0) {
    const std::optional<TrainingLog> stamped = stamped_.Finish();
    if (stamped && stamped->step_s.count == log.training->step_s.count)
      log.training->stamp_step_s = stamped->stamp_step_s;
  }
  return log;
}

}  // namespace gpuwhy
