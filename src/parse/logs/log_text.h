// Everything that one handed-in text says, beside what the NVIDIA tools print.
#pragma once

#include <cstdint>
#include <string_view>

#include "capture/pasted_logs.h"
#include "parse/logs/training.h"
#include "parse/logs/word_search.h"

namespace gpuwhy {

/// Reads a text in pieces of whole lines, one after the other. A message whose lines are in two
/// pieces may be missed. Memory does not grow with the text.
class LogTextReader {
 public:
  explicit LogTextReader(std::string_view name);
  /// first_line: the number of the piece's first line in the whole text, from 1. words: of the
  /// piece.
  void Read(std::string_view piece, std::uint32_t first_line, const WordsSeen& words);
  /// What was found so far, without what makes a training log.
  [[nodiscard]] const LogText& SoFar() const { return log_; }
  [[nodiscard]] bool HasTraining() const { return training_.Any(); }
  /// Ends the reading.
  [[nodiscard]] LogText Finish();

 private:
  LogText log_;
  TrainingReader training_;
};

/// Pure. name: of the input. Runs every reader of this folder: a ticket mixes logs, messages and
/// tables. Time grows with the text, memory does not.
[[nodiscard]] LogText ReadLogText(std::string_view text, std::string_view name);

}  // namespace gpuwhy
