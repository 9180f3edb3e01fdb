// What the ranks of a job say of one another, for a terminal.
#pragma once

#include "report/page.h"
#include "trace/cross_rank.h"

namespace gpuwhy {

/// Nothing for fewer than two ranks.
void WriteRanks(const trace::CrossRank& ranks, Page& page);

}  // namespace gpuwhy
