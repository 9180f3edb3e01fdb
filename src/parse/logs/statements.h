// Messages whose words alone say what is wrong, found anywhere in a text.
#pragma once

#include <string_view>
#include <vector>

#include "capture/pasted_logs.h"
#include "parse/logs/needle_search.h"

namespace gpuwhy {

/// In the order of the enumeration; at most one entry a statement. Memory does not grow with the
/// text.
[[nodiscard]] std::vector<StatementSeen> FindStatements(std::string_view text);
/// The same where the words were searched for: WordsSeen::statements.
[[nodiscard]] std::vector<StatementSeen> StatementsAt(std::string_view text,
                                                      const std::vector<NeedleSearch::Hit>& hits);
/// Adds what a later piece of the same text says.
void AddStatements(std::vector<StatementSeen> more, std::vector<StatementSeen>& into);

}  // namespace gpuwhy
