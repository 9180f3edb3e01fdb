#include "parse/logs/log_text.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parse/logs/bandwidth_tables.h"
#include "parse/logs/host_signs.h"
#include "parse/logs/host_texts.h"
#include "parse/logs/out_of_memory.h"
#include "parse/logs/profile_tables.h"
#include "parse/logs/service_state.h"
#include "parse/logs/statements.h"

namespace gpuwhy {

namespace {

/// Lines of a piece count from 1: moved to where they stand in the whole text.
class Moved {
 public:
  explicit Moved(std::uint32_t by) : by_(by) {}
  void operator()(QuotedLine& quote) const {
    if (quote.line > 0) quote.line += by_;
  }
  void operator()(std::vector<QuotedLine>& quotes) const {
    for (QuotedLine& quote : quotes) (*this)(quote);
  }
  void operator()(LogText& log) const {
    if (by_ == 0) return;
    for (StatementSeen& seen : log.statements) (*this)(seen.quotes);
    for (RefusedAllocation& one : log.refused) (*this)(one.quote);
    for (ProfilerTable& table : log.profiles) {
      (*this)(table.totals);
      for (ProfilerRow& row : table.rows) (*this)(row.quote);
    }
    for (BandwidthTable& table : log.bandwidths) (*this)(table.quotes);
    for (IbPort& port : log.ports) (*this)(port.quote);
    for (PressureText& pressure : log.pressures) (*this)(pressure.quotes);
    if (log.memory) (*this)(log.memory->quotes);
    if (log.environment) (*this)(log.environment->quotes);
  }

 private:
  std::uint32_t by_;
};

template <class T>
void Append(std::vector<T>& into, std::vector<T>&& more, std::size_t most) {
  const std::size_t room = most - std::min(most, into.size());
  if (more.size() > room) more.resize(room);
  std::move(more.begin(), more.end(), std::back_inserter(into));
}

// As many as the readers of one piece give at most.
constexpr std::size_t kMostRefused = 64;
constexpr std::size_t kMostProfiles = 16;
constexpr std::size_t kMostBandwidths = 64;
constexpr std::size_t kMostPorts = 256;
constexpr std::size_t kMostPressures = 64;
constexpr std::size_t kMostSamples = 4096;

void AppendMemory(std::optional<MemoryTrend>& into, MemoryTrend&& more) {
  if (!into) {
    into = std::move(more);
    return;
  }
  Append(into->used, std::move(more.used), kMostSamples);
  Append(into->available, std::move(more.available), kMostSamples);
  Append(into->swap_used, std::move(more.swap_used), kMostSamples);
  Append(into->quotes, std::move(more.quotes), 64);
}

/// What the readers find that look at a piece by itself. Tables of bandwidths are short: what is
/// longer than a piece is a log that mentions one.
LogText ReadPiece(std::string_view text, std::string_view name, const WordsSeen& words,
                  bool is_first) {
  LogText log;
  const std::uint32_t marks = words.marks;
  log.statements = StatementsAt(text, words.statements);
  if ((marks & kMarkRefused) != 0) log.refused = FindRefusedAllocations(text);
  if ((marks & kMarkProfile) != 0) log.profiles = FindProfilerTables(text);
  if ((marks & kMarkBandwidth) != 0 && is_first) log.bandwidths = FindBandwidthTables(text);
  if ((marks & kMarkPorts) != 0) log.ports = FindIbPorts(text);
  if ((marks & kMarkPressure) != 0) log.pressures = ParsePressureTexts(text, name);
  if ((marks & kMarkFree) != 0) log.memory = ParseFreeOutputs(text);
  if ((marks & kMarkEnvironment) != 0) log.environment = ParseCollectEnv(text);
  return log;
}

/// Readers of short texts; what is longer than a piece is none.
void ReadShort(std::string_view text, LogText& log) {
  AddStatements(FindStoppedServices(text), log.statements);
  AddStatements(FindModulesOfOtherKernels(text), log.statements);
  log.devices = ParseDeviceList(text);
  log.summary_tool = RecogniseSummaryTool(text);
  log.affinity = FindAffinityChange(text);
  log.stray = FindStrayContexts(text);
  log.peermem_absent = FindPeermemAbsent(text);
  log.since_boot = FindSinceBoot(text, log.summary_tool);
}

/// A table whose columns are called time or data is no log of steps. A ticket may hold both.
bool IsTable(const LogText& log) {
  return !log.profiles.empty() || !log.bandwidths.empty() || !log.summary_tool.empty() ||
         !log.pressures.empty();
}

/// Whether it counts steps that go on, or prints a loss again and again: no table does.
bool IsSure(const TrainingLog& log) {
  constexpr std::uint64_t kFew = 3;
  const bool goes_on = log.first_step && log.last_step && *log.last_step > *log.first_step;
  return log.loss.count >= kFew || (log.step_s.count >= kFew && goes_on);
}

}  // namespace

LogTextReader::LogTextReader(std::string_view name) { log_.name = std::string(name); }

void LogTextReader::Read(std::string_view piece, std::uint32_t first_line, const WordsSeen& words) {
  LogText more = ReadPiece(piece, log_.name, words, first_line == 1);
  const Moved moved(first_line - 1);
  moved(more);
  AddStatements(std::move(more.statements), log_.statements);
  Append(log_.refused, std::move(more.refused), kMostRefused);
  Append(log_.profiles, std::move(more.profiles), kMostProfiles);
  Append(log_.bandwidths, std::move(more.bandwidths), kMostBandwidths);
  Append(log_.ports, std::move(more.ports), kMostPorts);
  Append(log_.pressures, std::move(more.pressures), kMostPressures);
  if (more.memory) AppendMemory(log_.memory, *std::move(more.memory));
  if (more.environment && !log_.environment) log_.environment = std::move(more.environment);
  if (first_line == 1) ReadShort(piece, log_);
  training_.Read(piece, first_line, (words.marks & kMarkTraining) != 0);
}

LogText LogTextReader::Finish() {
  std::optional<TrainingLog> training = training_.Finish();
  if (training && (!IsTable(log_) || IsSure(*training))) log_.training = std::move(training);
  return std::move(log_);
}

LogText ReadLogText(std::string_view text, std::string_view name) {
  LogTextReader reader(name);
  reader.Read(text, 1, WordSearch().Search(text));
  return reader.Finish();
}

}  // namespace gpuwhy
