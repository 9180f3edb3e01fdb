// Findings that a message states by its own words: the evidence is the line.
#pragma once

#include <initializer_list>
#include <string_view>

#include "diagnose/rule.h"

namespace gpuwhy {

struct StatedClaim {
  std::string_view id;
  Severity severity;
  Confidence confidence;
  const char *title, *meaning, *decision, *fix;  ///< English; translated where they are used
  std::string_view verify;                       ///< a command without values; may be empty
};

/// All facts with these ids, in order; those without a value are left out.
[[nodiscard]] std::vector<const Fact*> AllOf(const FactSet& facts,
                                             std::initializer_list<FactId> ids);
[[nodiscard]] bool Has(const FactSet& facts, FactId id);
/// The claim about the host with these facts (twelve at most) as evidence; nothing without any.
[[nodiscard]] RuleResult Stated(const StatedClaim& claim, const std::vector<const Fact*>& evidence);

}  // namespace gpuwhy
