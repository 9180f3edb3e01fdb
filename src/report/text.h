// The diagnosis for a terminal: the answer in the first two lines, then why, what to do, how to
// check, what was not seen.
#pragma once

#include <string>

#include "diagnose/diagnosis.h"

namespace gpuwhy {

struct TextOptions {
  bool color = false;
  bool verbose = false;      ///< every finding in full, the wait chain and the tool's own cost
  bool answer_only = false;  ///< the answer and its alerts, nothing else
  int width = 100;           ///< columns; longer paragraphs are wrapped, commands never
};

/// Ends with a newline. Texts of unknown origin are made printable; no escape sequence is written
/// without options.color.
[[nodiscard]] std::string RenderText(const Diagnosis& diagnosis, const TextOptions& options);

}  // namespace gpuwhy
