// nvidia-smi --query-gpu and --query-compute-apps as CSV, with or without header and units.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseSmiCsv(const Section& section, std::size_t from);
void ReadSmiCsv(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);

}  // namespace gpuwhy
