// nvidia-smi -q, whole or with -d, and fragments of it: keys are told apart by their section.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseSmiQuery(const Section& section, std::size_t from);
void ReadSmiQuery(const Section& section, const Match& match, Pasted& into,
                  std::vector<Problem>& problems);

}  // namespace gpuwhy
