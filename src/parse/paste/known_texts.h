// Outputs whose kind is known although no figure is read from them: what they say stands in single
// sentences, which the log readers know. Who pastes a healthy one is told that it was understood.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseServiceState(const Section& section, std::size_t from);
[[nodiscard]] std::optional<Match> RecogniseContainerBanner(const Section& section,
                                                            std::size_t from);
[[nodiscard]] std::optional<Match> RecogniseDkmsStatus(const Section& section, std::size_t from);
[[nodiscard]] std::optional<Match> RecogniseMemorySummary(const Section& section, std::size_t from);
[[nodiscard]] std::optional<Match> RecogniseStackDump(const Section& section, std::size_t from);
void ReadNothing(const Section& section, const Match& match, Pasted& into,
                 std::vector<Problem>& problems);

}  // namespace gpuwhy
