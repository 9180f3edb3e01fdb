// What a pasted text says as a log, beside the outputs of tools in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capture/pasted_logs.h"
#include "parse/logs/log_text.h"
#include "parse/logs/word_search.h"
#include "parse/paste/section.h"

namespace gpuwhy {

/// What a text is by what was found in it.
enum class LogContent : unsigned char { kNothing, kBoards, kLog };
[[nodiscard]] LogContent ContentOf(const LogText& log);

/// Reads the sections of one text, one after the other.
class SectionLog {
 public:
  /// search must outlive this.
  SectionLog(std::string_view name, const WordSearch& search) : search_(search), log_(name) {}

  /// The lines of a section before the line `end`, an index. words: of the section's text.
  void Read(const Section& section, std::size_t end, WordsSeen words);
  /// Whether anything was found so far.
  [[nodiscard]] bool Any() const;
  /// Ends the reading.
  [[nodiscard]] LogText Finish();

 private:
  const WordSearch& search_;
  LogTextReader log_;
  TrainingReader stamped_;  ///< of lines with what a collector put before them
  bool prefixed_ = false;
};

}  // namespace gpuwhy
