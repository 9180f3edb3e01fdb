#include "diagnose/rules/stated.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

void CiteOnce(const std::vector<const Fact*>& facts, Finding& finding) {
  constexpr std::size_t kMost = 12;
  for (const Fact* fact : facts) {
    if (finding.evidence.size() >= kMost) break;
    const bool cited = std::any_of(
        finding.evidence.begin(), finding.evidence.end(), [&](const Evidence& evidence) {
          const Fact& other = evidence.fact;
          return std::holds_alternative<std::string>(*fact->value) &&
                 other.provenance.source == fact->provenance.source && other.value == fact->value;
        });
    if (!cited) finding.evidence.push_back(Cite(*fact));
  }
}

}  // namespace

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

std::vector<const Fact*> NumbersOf(const FactSet& facts, FactId id) {
  std::vector<const Fact*> found = facts.All(id);
  std::erase_if(found, [](const Fact* fact) { return !IsNumber(fact); });
  return found;
}

std::vector<const Fact*> SaidOf(const FactSet& facts, std::string_view kind,
                                std::initializer_list<FactId> ids) {
  std::vector<const Fact*> found = AllOf(facts, {FactId::kToolMessage});
  std::erase_if(found, [&](const Fact* fact) { return fact->subject.id != kind; });
  const std::vector<const Fact*> lines = AllOf(facts, ids);
  found.insert(found.end(), lines.begin(), lines.end());
  return found;
}

RuleResult Stated(const StatedClaim& claim, const std::vector<const Fact*>& evidence) {
  if (evidence.empty()) return {};
  Finding finding;
  finding.id = std::string(claim.id);
  finding.severity = claim.severity;
  finding.confidence = claim.confidence;
  CiteOnce(evidence, finding);
  finding.title = Tr(claim.title);
  finding.meaning = Tr(claim.meaning);
  finding.decision = Tr(claim.decision);
  finding.fix = Tr(claim.fix);
  // Where no command shows it again, a look at the running job does.
  finding.verify =
      claim.verify.empty() ? "gpuwhy diagnose --duration 30" : std::string(claim.verify);
  return {{std::move(finding)}, {}};
}

RuleResult StatedOfEach(const StatedClaim& claim, const FactSet& facts, FactId id,
                        std::initializer_list<FactId> lines,
                        const std::function<bool(const Fact&)>& holds) {
  RuleResult result;
  for (const Fact* fact : NumbersOf(facts, id)) {
    if (!holds(*fact)) continue;
    std::vector<const Fact*> evidence{fact};
    for (const Fact* line : AllOf(facts, lines)) {
      if (line->subject == fact->subject) evidence.push_back(line);
    }
    RuleResult one = Stated(claim, evidence);
    one.findings.front().subject = fact->subject;
    result.findings.push_back(std::move(one.findings.front()));
  }
  return result;
}

void AddStated(const StatedClaim& claim, const std::vector<const Fact*>& evidence,
               RuleResult& result) {
  if (result.findings.size() == 1) {
    CiteOnce(evidence, result.findings.front());
    return;
  }
  RuleResult stated = Stated(claim, evidence);
  for (Finding& finding : stated.findings) result.findings.push_back(std::move(finding));
}

}  // namespace gpuwhy
