// What the traces of several ranks say about each other.
#pragma once

#include <vector>

#include "facts/fact_set.h"
#include "trace/analysis.h"

namespace gpuwhy {

/// subjects: of the files, in their order. Nothing is added where no collective was matched.
void AddRankFacts(const trace::TraceReport& report, const std::vector<Subject>& subjects,
                  FactSet& facts);

}  // namespace gpuwhy
