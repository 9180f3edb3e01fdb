#include "diagnose/rules/rule_view.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "base/text.h"

namespace gpuwhy {
namespace {

// Source: docs/confidence.md. 60 looks give a share within about 12 points, 20 within about 20.
constexpr std::uint64_t kManyLooks = 60;
constexpr std::uint64_t kFewLooks = 20;

std::string HowToSee(Why why, std::int32_t pid) {
  switch (why) {
    case Why::kNoPermission:
      return Format(_("run gpuwhy as root: sudo gpuwhy diagnose --pid {}"), pid);
    case Why::kNotSampled:
    case Why::kWentBackwards:
      return _("run gpuwhy again while the job runs, for longer: --duration 30");
    case Why::kTimedOut:
      return _("run gpuwhy again; if it times out again, look at what does not answer");
    case Why::kNotPresent:
    case Why::kNotSupported:
    case Why::kFailed:
      return _("this host does not offer it; measure it by hand");
  }
  return {};
}

std::string HowObtained(const Fact& fact) {
  std::string source = Printable(fact.provenance.source);
  switch (fact.provenance.origin) {
    case Origin::kRead:
      return Format(_("read from {}"), source);
    case Origin::kSampled:
      if (fact.stat.n == 0) return Format(_("seen in {}"), source);
      return Format(_("{} looks at {}"), fact.stat.n, source);
    case Origin::kComputed:
      return Format(_("computed from {}"), source);
    case Origin::kInferred:
      return Format(_("inferred from {}"), source);
  }
  return source;
}

/// How it is known who fills what the consumer waits for. Of the edges that lead on (those with a
/// resource end the chain) the one with the largest share decides; empty where there is none.
std::string_view ProofOf(const FactSet& facts) {
  const WaitEdge* widest = nullptr;
  for (const WaitEdge& edge : facts.wait_chain) {
    if (!edge.resource.empty()) continue;
    if (widest == nullptr || edge.share > widest->share) widest = &edge;
  }
  return widest == nullptr ? std::string_view() : std::string_view(widest->proof);
}

}  // namespace

bool IsNumber(const Fact* fact) {
  return fact != nullptr && fact->value.has() && std::holds_alternative<double>(*fact->value);
}

const Fact* RuleView::Look(FactId id) const {
  const Fact* fact = facts_.Find(id, job_.subject);
  return IsNumber(fact) ? fact : nullptr;
}

const Fact* RuleView::Need(FactId id) {
  const Fact* fact = Look(id);
  if (fact == nullptr) Note(id, facts_.Number(id, job_.subject).missing());
  return fact;
}

void RuleView::Note(FactId id, Missing missing) {
  missing_.push_back(Lack{id, std::move(missing)});
}

RuleResult RuleView::CantTell(std::string_view rule) const {
  RuleResult result;
  for (const Lack& lack : missing_) {
    Unknown unknown;
    unknown.what = Tr(Info(lack.id).meaning);
    unknown.why = WhyText(lack.missing.why);
    // A fact that no collector made carries its own id as detail, which says nothing to people.
    if (!lack.missing.detail.empty() && lack.missing.detail != Id(lack.id)) {
      unknown.why += ": " + Printable(lack.missing.detail);
    }
    unknown.how = HowToSee(lack.missing.why, job_.root_pid);
    unknown.hides = {std::string(rule)};
    result.unknowns.push_back(std::move(unknown));
  }
  return result;
}

Evidence Cite(const Fact& fact, std::string expected) {
  return Evidence{fact, std::move(expected), HowObtained(fact)};
}

void CiteAll(Finding& finding, const std::vector<const Fact*>& facts) {
  for (const Fact* fact : facts) {
    if (fact != nullptr && fact->value.has()) finding.evidence.push_back(Cite(*fact));
  }
}

Cost LawCost(const Fact& gain) {
  Cost cost;
  cost.share = std::clamp(gain.Number(), 0.0, 1.0);
  cost.low = std::clamp(gain.interval.low, 0.0, cost.share);
  cost.high = std::clamp(gain.interval.high, cost.share, 1.0);
  cost.basis = CostBasis::kLaw;
  return cost;
}

Confidence ChainConfidence(const FactSet& facts, double certain, double threshold,
                           std::uint64_t looks) {
  const bool counted = looks == 0;
  const bool above = certain >= threshold;
  const std::string_view proof = ProofOf(facts);
  // Which of its descriptors the consumer waits on was not seen.
  if (proof == "candidate") return Confidence::kLow;
  const bool proven = proof == "direction" || proof == "waker";
  if (above && proven && (counted || looks >= kManyLooks)) return Confidence::kHigh;
  if (above && (counted || looks >= kFewLooks)) return Confidence::kMedium;
  return Confidence::kLow;
}

std::vector<std::int32_t> ProcessesToCheck(const JobFacts& job) {
  constexpr std::size_t kMost = 4;
  if (job.filler_pids.empty()) {
    return {job.consumer_pid != 0 ? job.consumer_pid : job.root_pid};
  }
  const auto count = static_cast<std::ptrdiff_t>(std::min(job.filler_pids.size(), kMost));
  return {job.filler_pids.begin(), job.filler_pids.begin() + count};
}

Finding FindingOf(std::string_view id, const JobFacts& job) {
  Finding finding;
  finding.id = std::string(id);
  finding.subject = job.subject;
  return finding;
}

}  // namespace gpuwhy
