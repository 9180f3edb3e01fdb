#include "diagnose/rules/stated.h"

#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {

std::vector<const Fact*> AllOf(const FactSet& facts, std::initializer_list<FactId> ids) {
  std::vector<const Fact*> found;
  for (const FactId id : ids) {
    for (const Fact* fact : facts.All(id)) {
      if (fact->value.has()) found.push_back(fact);
    }
  }
  return found;
}

bool Has(const FactSet& facts, FactId id) { return !AllOf(facts, {id}).empty(); }

RuleResult Stated(const StatedClaim& claim, const std::vector<const Fact*>& evidence) {
  if (evidence.empty()) return {};
  Finding finding;
  finding.id = std::string(claim.id);
  finding.severity = claim.severity;
  finding.confidence = claim.confidence;
  constexpr std::size_t kMost = 12;
  for (const Fact* fact : evidence) {
    if (finding.evidence.size() == kMost) break;
    finding.evidence.push_back(Cite(*fact));
  }
  finding.title = Tr(claim.title);
  finding.meaning = Tr(claim.meaning);
  finding.decision = Tr(claim.decision);
  finding.fix = Tr(claim.fix);
  // Where no command shows it again, a look at the running job does.
  finding.verify =
      claim.verify.empty() ? "gpuwhy diagnose --duration 30" : std::string(claim.verify);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
