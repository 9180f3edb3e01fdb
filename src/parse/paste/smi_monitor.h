// nvidia-smi dmon and pmon: columns are named by the header, whatever the layout.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseSmiMonitor(const Section& section, std::size_t from);
void ReadSmiMonitor(const Section& section, const Match& match, Pasted& into,
                    std::vector<Problem>& problems);

}  // namespace gpuwhy
