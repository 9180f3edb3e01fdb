#include "diagnose/rules/step/step_claims.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

Finding StepFinding(const StepClaim& claim, const Fact& share, Confidence confidence) {
  Finding finding;
  finding.id = std::string(claim.id);
  finding.subject = share.subject;
  finding.confidence = confidence;
  finding.evidence.push_back(Cite(share));
  finding.title = Format(Tr(claim.title), PercentText(share.Number()));
  finding.meaning = Tr(claim.meaning);
  finding.decision = Tr(claim.decision);
  finding.fix = Tr(claim.fix);
  finding.verify = "gpuwhy diagnose --duration 30";
  return finding;
}

void CiteOfInput(const FactSet& facts, const Subject& subject, std::initializer_list<FactId> ids,
                 Finding& finding) {
  constexpr std::size_t kMost = 12;
  for (const Fact* fact : AllOf(facts, ids)) {
    if (fact->subject == subject && finding.evidence.size() < kMost)
      finding.evidence.push_back(Cite(*fact));
  }
}

Cost RatioCost(double share) {
  const double most = std::clamp(share, 0.0, 0.99);
  return Cost{most, most / 2, most, CostBasis::kRatio};
}

Confidence BySteps(const Fact& share) {
  if (share.stat.n >= 8) return Confidence::kHigh;
  return share.stat.n >= 2 ? Confidence::kMedium : Confidence::kLow;
}

std::vector<const Fact*> AtLeast(const FactSet& facts, FactId id, double threshold) {
  std::vector<const Fact*> found;
  for (const Fact* fact : facts.All(id)) {
    if (IsNumber(fact) && fact->Number() >= threshold) found.push_back(fact);
  }
  return found;
}

RuleResult StepLimits(const StepClaim& claim, const FactSet& facts, FactId id, double threshold) {
  RuleResult result;
  for (const Fact* share : AtLeast(facts, id, threshold)) {
    Finding finding = StepFinding(claim, *share, BySteps(*share));
    finding.bound = std::clamp(share->Number(), 0.0, 1.0);
    finding.severity = Severity::kInfo;
    CiteOfInput(facts, share->subject, {FactId::kLogPhasesLine, FactId::kLogLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
