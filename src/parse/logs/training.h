// Step times, rates, losses and phases out of the log of a training loop, of any framework.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// Reads a log in pieces of whole lines, one after the other; memory is bounded.
class TrainingReader {
 public:
  TrainingReader();
  ~TrainingReader();
  TrainingReader(TrainingReader&& other) noexcept;
  TrainingReader& operator=(TrainingReader&& other) noexcept;

  /// first_line: the number of the piece's first line in the whole text, from 1. rare_words: false
  /// where no word of kMarkTraining is in the piece.
  void Read(std::string_view piece, std::uint32_t first_line, bool rare_words);
  /// Whether anything was found so far.
  [[nodiscard]] bool Any() const;
  /// As ParseTrainingLog() for the whole. Ends the reading.
  [[nodiscard]] std::optional<TrainingLog> Finish();

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

/// nullopt where no line tells of a step, an epoch or a loss. One pass, bounded memory. Lines of
/// validation are left out. A running mean that a line prints beside a value is kept apart.
[[nodiscard]] std::optional<TrainingLog> ParseTrainingLog(std::string_view text);

}  // namespace gpuwhy
