// The table that nvidia-smi prints without options: every layout since driver 340.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseSmiTable(const Section& section, std::size_t from);
void ReadSmiTable(const Section& section, const Match& match, Pasted& into,
                  std::vector<Problem>& problems);

}  // namespace gpuwhy
