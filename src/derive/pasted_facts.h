// Facts of pasted outputs, each read at a place in a file.
#pragma once

#include <cstddef>
#include <utility>

#include "capture/pasted.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// The fact that a field of a GPU becomes, whoever read it; nullptr for one that is none.
[[nodiscard]] const FactId* FactOf(GpuField field);

/// Without a value yet. moment: the place of the look among all of the file's, from 0.
inline Fact FactAt(FactId id, const Subject& subject, std::size_t moment, Provenance provenance) {
  Fact fact;
  fact.id = id;
  fact.subject = subject;
  // Outputs have no common clock: the number of the moment keeps them apart and in order.
  const MonoTime at{Nanos(static_cast<std::int64_t>(moment))};
  fact.scope = {at, at, ScopePart::kWhole};
  fact.provenance = std::move(provenance);
  return fact;
}

/// value in the fact's own unit, as the tool printed it: its interval has equal ends.
inline void AddCount(FactSet& facts, FactId id, const Subject& subject, std::size_t moment,
                     double value, Provenance provenance) {
  Fact fact = FactAt(id, subject, moment, std::move(provenance));
  fact.value = FactValue(value);
  fact.interval = {value, value};
  facts.Add(std::move(fact));
}

}  // namespace gpuwhy
