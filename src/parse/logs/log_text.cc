#include "parse/logs/log_text.h"

#include <utility>
#include <vector>

#include "parse/logs/bandwidth_tables.h"
#include "parse/logs/host_signs.h"
#include "parse/logs/host_texts.h"
#include "parse/logs/needle_search.h"
#include "parse/logs/out_of_memory.h"
#include "parse/logs/profile_tables.h"
#include "parse/logs/statements.h"
#include "parse/logs/training.h"

namespace gpuwhy {

namespace {

/// Words without which a reader finds nothing; one pass looks for all of them.
enum Mark : unsigned char {
  kRefused = 1,
  kProfile = 2,
  kBandwidth = 4,
  kPorts = 8,
  kPressure = 16,
  kFree = 32,
  kEnvironment = 64,
};

struct MarkWord {
  std::string_view word;
  Mark mark;
};

constexpr MarkWord kMarks[] = {
    {"ried to allocate", kRefused},
    {"rying to allocate", kRefused},
    {"total capacity", kRefused},
    {"OOM when allocating tensor", kRefused},
    {": out of memory", kRefused},
    {"STATUS_ALLOC_FAILED", kRefused},
    {"Self CPU", kProfile},
    {"Self CUDA", kProfile},
    {"Mean duration", kProfile},
    {"Bandwidth", kBandwidth},
    {"  float ", kBandwidth},
    {"   half ", kBandwidth},
    {"bfloat16", kBandwidth},
    {"  double", kBandwidth},
    {"   int8 ", kBandwidth},
    {"  uint8 ", kBandwidth},
    {"CA type:", kPorts},
    {"Physical state:", kPorts},
    {"avg300=", kPressure},
    {"available", kFree},
    {"CUDA used to build PyTorch", kEnvironment},
};

unsigned MarksOf(std::string_view text) {
  std::vector<std::string_view> words;
  for (const MarkWord& mark : kMarks) words.push_back(mark.word);
  const NeedleSearch search(std::move(words));
  unsigned marks = 0;
  for (std::size_t from = 0;;) {
    const NeedleSearch::Hit hit = search.Next(text, from);
    if (hit.needle == search.Size()) return marks;
    marks |= kMarks[hit.needle].mark;
  }
}

}  // namespace

LogText ReadLogText(std::string_view text, std::string_view name) {
  LogText log;
  log.name = std::string(name);
  const unsigned marks = MarksOf(text);
  log.statements = FindStatements(text);
  if ((marks & kRefused) != 0) log.refused = FindRefusedAllocations(text);
  if ((marks & kProfile) != 0) log.profiles = FindProfilerTables(text);
  if ((marks & kBandwidth) != 0) log.bandwidths = FindBandwidthTables(text);
  if ((marks & kPorts) != 0) log.ports = FindIbPorts(text);
  if ((marks & kPressure) != 0) log.pressure = ParsePressureText(text, name);
  if ((marks & kFree) != 0) log.memory = ParseFreeOutputs(text);
  if ((marks & kEnvironment) != 0) log.environment = ParseCollectEnv(text);
  log.devices = ParseDeviceList(text);
  log.summary_tool = RecogniseSummaryTool(text);
  log.affinity = FindAffinityChange(text);
  log.stray = FindStrayContexts(text);
  log.peermem_absent = FindPeermemAbsent(text);
  log.since_boot = FindSinceBoot(text, log.summary_tool);
  // A table whose columns are called time or data is no log of steps.
  if (log.profiles.empty() && log.bandwidths.empty() && log.summary_tool.empty() && !log.pressure) {
    log.training = ParseTrainingLog(text);
  }
  return log;
}

}  // namespace gpuwhy
