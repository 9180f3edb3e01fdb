#include "parse/logs/word_search.h"

#include "parse/logs/statement_table.h"

namespace gpuwhy {
namespace {

constexpr MarkedWord kWords[] = {
    {"ried to allocate", kMarkRefused},
    {"rying to allocate", kMarkRefused},
    {"total capacity", kMarkRefused},
    {"Out of memory allocating", kMarkRefused},
    {"OOM when allocating tensor", kMarkRefused},
    {": out of memory", kMarkRefused},
    {"STATUS_ALLOC_FAILED", kMarkRefused},
    {"Self CPU", kMarkProfile},
    {"Self CUDA", kMarkProfile},
    {"Mean duration", kMarkProfile},
    {"andwidth", kMarkBandwidth},
    {"BW average[", kMarkBandwidth},
    {"  float ", kMarkBandwidth},
    {"   half ", kMarkBandwidth},
    {"bfloat16", kMarkBandwidth},
    {"  double", kMarkBandwidth},
    {"   int8 ", kMarkBandwidth},
    {"  uint8 ", kMarkBandwidth},
    {"CA type:", kMarkPorts},
    {"Physical state:", kMarkPorts},
    {"avg300=", kMarkPressure},
    {"available", kMarkFree},
    {"CUDA used to build PyTorch", kMarkEnvironment},
    {"Epoch(val)", kMarkTraining},
    {"Epoch(test)", kMarkTraining},
    {"Validation:", kMarkTraining},
    {"Validating:", kMarkTraining},
    {"NumDevsUsed", kMarkTraining},
    {"time (ms) |", kMarkTraining},
};

std::vector<std::string_view> AllWords(std::span<const MarkedWord> more) {
  std::vector<std::string_view> words;
  for (const StatementPattern& pattern : StatementPatterns()) words.push_back(pattern.needle);
  for (const MarkedWord& one : kWords) words.push_back(one.word);
  for (const MarkedWord& one : more) words.push_back(one.word);
  return words;
}

}  // namespace

WordSearch::WordSearch(std::span<const MarkedWord> more) : search_(AllWords(more)) {
  for (const MarkedWord& one : kWords) marks_.push_back(one.marks);
  for (const MarkedWord& one : more) marks_.push_back(one.marks);
}

WordsSeen WordSearch::Search(std::string_view text) const {
  const std::size_t patterns = StatementPatterns().size();
  WordsSeen seen;
  for (const NeedleSearch::Hit& hit : search_.FindAll(text)) {
    if (hit.needle >= patterns) {
      seen.marks |= marks_[hit.needle - patterns];
    } else if (seen.statements.empty() || seen.statements.back().at != hit.at) {
      seen.statements.push_back(hit);
    }
  }
  return seen;
}

}  // namespace gpuwhy
