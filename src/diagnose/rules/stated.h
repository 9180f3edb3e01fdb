// Findings that a message states by its own words: the evidence is the line.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>
#include <vector>

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
[[nodiscard]] bool Has(const FactSet& facts, FactId id);  ///< with a value, of any subject
/// The numbers with this id; what is missing or a text is left out.
[[nodiscard]] std::vector<const Fact*> NumbersOf(const FactSet& facts, FactId id);
/// Sentences of NVIDIA's tools of this kind ("smi.no-driver"), then the lines of messages with
/// these ids.
[[nodiscard]] std::vector<const Fact*> SaidOf(const FactSet& facts, std::string_view kind,
                                              std::initializer_list<FactId> ids);

/// The claim about the host with these facts (twelve at most) as evidence; nothing without any. A
/// line that two readers took is cited once.
[[nodiscard]] RuleResult Stated(const StatedClaim& claim, const std::vector<const Fact*>& evidence);
/// One claim, about the input itself, for every number of `id` for which `holds`, with lines of
/// the same input.
[[nodiscard]] RuleResult StatedOfEach(const StatedClaim& claim, const FactSet& facts, FactId id,
                                      std::initializer_list<FactId> lines,
                                      const std::function<bool(const Fact&)>& holds);
/// Messages that say the same of a device as its own figures: beside the only finding of them, else
/// as a claim of their own, because they don't tell which device they mean.
void AddStated(const StatedClaim& claim, const std::vector<const Fact*>& evidence,
               RuleResult& result);

}  // namespace gpuwhy
