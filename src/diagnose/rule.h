// A rule: facts and policy in, findings and unknowns out. Pure. One rule, one file, one test.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "diagnose/finding.h"
#include "diagnose/policy.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Both empty: the rule does not hold. An unknown: it can't tell, and says what it would need.
struct RuleResult {
  std::vector<Finding> findings;
  std::vector<Unknown> unknowns;
};

struct Rule {
  std::string_view id;  ///< of the finding it makes
  RuleResult (*evaluate)(const FactSet& facts, const Policy& policy);
};

/// Every rule, by id: the order decides nothing. rules.cc is the table; nothing registers itself.
[[nodiscard]] std::span<const Rule> AllRules();

}  // namespace gpuwhy
