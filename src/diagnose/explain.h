// The knowledge behind the findings, for people: one id in full, or a search over ids and meanings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/finding_catalogue.h"

namespace gpuwhy {

/// The ids whose id or meaning holds every word, whatever its case: matches in the id first, each
/// part by id. No words: all.
[[nodiscard]] std::vector<const FindingInfo*> SearchFindings(std::string_view words);

/// Is there a rule in this build that can make the finding?
[[nodiscard]] bool HasRule(std::string_view id);

/// All that is known of one finding: several lines, each ended.
[[nodiscard]] std::string ExplainFinding(const FindingInfo& info);

/// An id, or the only match of a search, in full; several matches as a list; else a line that says
/// that nothing matches.
[[nodiscard]] std::string Explain(std::string_view words);

}  // namespace gpuwhy
