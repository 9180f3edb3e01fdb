// `nvidia-smi -q -x`: the figures of -q as XML.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseSmiXml(const Section& section, std::size_t from);
void ReadSmiXml(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);

}  // namespace gpuwhy
