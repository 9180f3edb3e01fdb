// lsmod, and sentences of nvidia-smi whose meaning is known.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseLsmod(const Section& section, std::size_t from);
void ReadLsmod(const Section& section, const Match& match, Pasted& into,
               std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseSmiMessages(const Section& section, std::size_t from);
void ReadSmiMessages(const Section& section, const Match& match, Pasted& into,
                     std::vector<Problem>& problems);

}  // namespace gpuwhy
