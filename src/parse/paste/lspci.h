// lspci -vv, whole or cut down to its link lines.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseLspci(const Section& section, std::size_t from);
void ReadLspci(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& problems);

}  // namespace gpuwhy
