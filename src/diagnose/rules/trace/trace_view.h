// What a rule reads of one traced subject (a rank, or a file), and how the answers of many subjects
// become one.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnose/rule.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

/// Borrows the fact set. One per evaluation and subject.
class TraceView {
 public:
  TraceView(const FactSet& facts, Subject subject) : facts_(facts), subject_(std::move(subject)) {}

  [[nodiscard]] const Subject& About() const { return subject_; }
  /// The number; nullptr where there is none, and nothing is noted.
  [[nodiscard]] const Fact* Look(FactId id) const;
  /// Low end of it; 0 where there is none: a share that was not seen can't reach a threshold.
  [[nodiscard]] double Low(FactId id) const;
  [[nodiscard]] std::string Text(FactId id) const;  ///< empty where there is none
  /// As Look, but what is missing is noted: without it the rule can't tell.
  [[nodiscard]] const Fact* Need(FactId id);
  [[nodiscard]] RuleResult CantTell(std::string_view rule) const;
  [[nodiscard]] bool Complete() const { return missing_.empty(); }

  /// A finding of this subject, with a command that shows the trace's own figures.
  [[nodiscard]] Finding Make(std::string_view id) const;

 private:
  struct Lack {
    FactId id;
    Missing missing;
  };
  const FactSet& facts_;
  Subject subject_;
  std::vector<Lack> missing_;
};

/// By docs/confidence.md: how many steps, and how sure it is where they begin.
[[nodiscard]] Confidence StepConfidence(const TraceView& view);

/// Ends in any order, each kept within 0..1.
[[nodiscard]] Cost TimelineCost(double low, double share, double high);

/// Judges each traced subject that has steps. Of the findings the one that costs or bounds most is
/// kept and names the others; can't tell only where no subject gave one. Both empty without traces.
[[nodiscard]] RuleResult ForTraces(const FactSet& facts, std::string_view rule,
                                   const std::function<std::optional<Finding>(TraceView&)>& judge);

}  // namespace gpuwhy
