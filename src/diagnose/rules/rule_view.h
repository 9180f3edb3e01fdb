// What a rule reads of the diagnosed job, with a note of everything that it needed and that was not
// there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "diagnose/rule.h"

namespace gpuwhy {

/// Does a condition hold? kUnknown: what it needs is missing, and noted.
enum class Answer : unsigned char { kNo, kYes, kUnknown };

/// Borrows the fact set. One per evaluation of a rule.
class RuleView {
 public:
  /// Precondition: a job was found.
  explicit RuleView(const FactSet& facts) : facts_(facts), job_(facts.jobs.front()) {}

  [[nodiscard]] const JobFacts& Job() const { return job_; }
  [[nodiscard]] const FactSet& Facts() const { return facts_; }

  /// The job's number; nullptr where there is none, and nothing is noted.
  [[nodiscard]] const Fact* Look(FactId id) const;
  /// As Look, but what is missing is noted: without it the rule can't tell.
  [[nodiscard]] const Fact* Need(FactId id);
  /// Notes a fact of another subject that was needed and is missing. detail may be empty.
  void Note(FactId id, Missing missing);

  [[nodiscard]] bool Complete() const { return missing_.empty(); }
  /// One unknown for each noted fact. `rule` is the finding that stays hidden.
  [[nodiscard]] RuleResult CantTell(std::string_view rule) const;

 private:
  struct Lack {
    FactId id;
    Missing missing;
  };
  const FactSet& facts_;
  const JobFacts& job_;
  std::vector<Lack> missing_;
};

/// True where the fact is there and a number.
[[nodiscard]] bool IsNumber(const Fact* fact);

/// The fact as evidence, with how it was obtained in words. expected may be empty.
[[nodiscard]] Evidence Cite(const Fact& fact, std::string expected = {});
/// Adds those of the facts that are there; the pointers may be null.
void CiteAll(Finding& finding, const std::vector<const Fact*>& facts);

/// A computed gain as a cost by the utilization law, kept within 0..1 and low <= share <= high.
[[nodiscard]] Cost LawCost(const Fact& gain);

/// docs/confidence.md: how sure a finding from the wait chain is. `certain` is the low end of what
/// decides, `threshold` what it had to reach, `looks` the samples behind it (0: counted).
[[nodiscard]] Confidence ChainConfidence(const FactSet& facts, double certain, double threshold,
                                         std::uint64_t looks);

/// The processes to look at by hand: loaders, else consumer, else root; at most four.
[[nodiscard]] std::vector<std::int32_t> ProcessesToCheck(const JobFacts& job);
/// A finding of the job with its id and subject filled in.
[[nodiscard]] Finding FindingOf(std::string_view id, const JobFacts& job);

}  // namespace gpuwhy
