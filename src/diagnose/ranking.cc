#include "diagnose/ranking.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "diagnose/causes.h"

namespace gpuwhy {
namespace {

/// In the order of the answer: up to kRiskAlone a finding may be the verdict.
enum class Class : unsigned char {
  kBlocks,
  kHealthy,
  kSlows,
  kGrave,  ///< no job seen: hardware that loses data, before limits that only may matter
  kBounds,
  kMaySlow,
  kSlowsWithoutBasis,
  kRiskAlone,
  kSlowsLittle,
  kBoundsLittle,
  kRisk,  ///< beside a running job
  kState,
  kOk,
};

/// What the order sees of a finding. low and high are those of its cost; of its bound in the
/// classes of limits, which have no interval; 0 and 1 where neither is known.
struct Standing {
  std::size_t index = 0;
  Class group = Class::kState;
  double low = 0, high = 1;
};

/// Every field that may tell two findings apart, so that no tie is left to the order of the input.
auto Identity(const Finding& f) {
  const Cost cost = f.cost.value_or(Cost{});
  return std::make_tuple(f.id, f.subject, cost.share, cost.low, cost.high, f.bound.value_or(-1),
                         f.at_one_moment, f.severity, f.confidence, f.causes, f.title, f.meaning,
                         f.decision, f.fix, f.verify, f.evidence.size());
}

/// A cost without a basis, or that is no number, is no cost.
void DropSenselessNumbers(Finding& finding) {
  if (finding.cost) {
    Cost& cost = *finding.cost;
    if (cost.basis == CostBasis::kNone || !std::isfinite(cost.share + cost.low + cost.high)) {
      finding.cost.reset();
    } else {
      cost.low = std::min(cost.low, cost.share);
      cost.high = std::max(cost.high, cost.share);
    }
  }
  if (finding.bound && !std::isfinite(*finding.bound)) finding.bound.reset();
}

/// While the device waits for others, a faster device would wait longer: its fault may cost
/// nothing.
void ZeroLowOfDeviceFault(Finding& finding) {
  const FindingInfo& info = finding.Info();
  if (info.stage == 1 && info.kind == FindingKind::kFault && finding.cost) finding.cost->low = 0;
}

std::vector<std::size_t> ConsequencesOf(std::size_t cause, const CauseGraph& causes) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < causes.size(); ++i) {
    if (std::binary_search(causes[i].begin(), causes[i].end(), cause)) found.push_back(i);
  }
  return found;
}

/// All that follows from a finding, however far down the chain.
std::vector<std::size_t> AllConsequencesOf(std::size_t cause, const CauseGraph& causes) {
  std::vector<bool> seen(causes.size(), false);
  std::vector<std::size_t> open = ConsequencesOf(cause, causes);
  std::vector<std::size_t> found;
  while (!open.empty()) {
    const std::size_t next = open.back();
    open.pop_back();
    if (seen[next]) continue;
    seen[next] = true;
    found.push_back(next);
    const std::vector<std::size_t> further = ConsequencesOf(next, causes);
    open.insert(open.end(), further.begin(), further.end());
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// The cost a finding stands with: its own, or, where it has none, the largest of what it explains.
/// Explaining a symptom must not make an answer weaker than the symptom was.
std::optional<Cost> StandingCost(const Finding& finding, const std::vector<Finding>& findings,
                                 const std::vector<std::size_t>& consequences) {
  if (finding.cost) return finding.cost;
  std::optional<Cost> largest;
  for (const std::size_t i : consequences) {
    const std::optional<Cost>& cost = findings[i].cost;
    if (!cost) continue;
    if (!largest || std::tie(cost->low, cost->share, cost->high) >
                        std::tie(largest->low, largest->share, largest->high)) {
      largest = cost;
    }
  }
  return largest;
}

/// On a GPU that the job does not use.
bool IsElsewhere(const Finding& finding, const RankingContext& context) {
  return finding.subject.kind == SubjectKind::kGpu && !context.job_gpus.empty() &&
         std::find(context.job_gpus.begin(), context.job_gpus.end(), finding.subject) ==
             context.job_gpus.end();
}

/// The class of a finding that is a fault or a limit. `top` is the cost for the thresholds only:
/// the largest of its own and of what it explains.
Class ClaimClass(const Finding& finding, const std::optional<Cost>& top,
                 const RankingContext& context, const RankingPolicy& policy) {
  if (IsElsewhere(finding, context)) return Class::kRisk;
  if (finding.effect == Effect::kBlocks) return Class::kBlocks;
  const bool slows = finding.effect == Effect::kSlows;
  if (slows && top && top->share >= policy.min_cost) return Class::kSlows;
  const bool grave = finding.Info().action >= Action::kDrain &&
                     finding.severity == Severity::kCritical && finding.effect == Effect::kRisk;
  if (grave && !context.job_seen) return Class::kGrave;
  const bool limit = finding.Info().effect == Effect::kBounds;
  if (limit && BoundInOrder(finding, policy) >= policy.min_bound) return Class::kBounds;
  if (slows && top && top->high >= policy.min_possible_cost) return Class::kMaySlow;
  if (slows && !top) return Class::kSlowsWithoutBasis;
  if (slows) return Class::kSlowsLittle;
  if (limit) return Class::kBoundsLittle;
  return context.job_seen ? Class::kRisk : Class::kRiskAlone;
}

Class ClassOf(const Finding& finding, const std::optional<Cost>& top, const RankingContext& context,
              const RankingPolicy& policy) {
  if (finding.id == "job.healthy") return Class::kHealthy;
  const FindingKind kind = finding.Info().kind;
  if (kind == FindingKind::kOk) return Class::kOk;
  if (kind == FindingKind::kState) return Class::kState;
  return ClaimClass(finding, top, context, policy);
}

Standing StandingOf(std::size_t index, const std::vector<Finding>& findings,
                    const CauseGraph& causes, const RankingContext& context,
                    const RankingPolicy& policy) {
  const Finding& finding = findings[index];
  const std::vector<std::size_t> consequences = AllConsequencesOf(index, causes);
  const std::optional<Cost> own = StandingCost(finding, findings, consequences);
  std::optional<Cost> top = own;
  for (const std::size_t i : consequences) {
    if (!findings[i].cost || !top) continue;
    top->share = std::max(top->share, findings[i].cost->share);
    top->high = std::max(top->high, findings[i].cost->high);
  }
  Standing standing{index, ClassOf(finding, top, context, policy)};
  const bool by_bound = standing.group == Class::kBounds || standing.group == Class::kBoundsLittle;
  if (by_bound) {
    standing.low = standing.high = BoundInOrder(finding, policy);
  } else if (own) {
    standing.low = own->low;
    standing.high = own->high;
  }
  return standing;
}

/// Within what can't be told apart: stage 1, 2, 3, 4, 5, 0, then the graver, then the id. Where no
/// basis for a cost exists the graver comes before the stage.
bool EarlierByStage(const Finding& a, const Finding& b, bool severity_first) {
  const auto key = [&](const Finding& f) {
    const int stage = f.Info().stage == 0 ? 6 : f.Info().stage;
    const int gravity = -static_cast<int>(f.severity);
    return severity_first ? std::make_tuple(gravity, stage) : std::make_tuple(stage, gravity);
  };
  // The input is in canonical order and the search below takes the first minimum: equal keys go by
  // id and subject.
  return key(a) < key(b);
}

/// Takes the next of a class: those whose high reaches the largest low can't be told apart from it.
/// No pairwise comparison is used: overlap is not transitive.
std::size_t TakeNext(std::vector<Standing>& members, const std::vector<Finding>& findings) {
  double pivot = members.front().low;
  for (const Standing& member : members) pivot = std::max(pivot, member.low);
  std::size_t best = members.size();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (members[i].high < pivot) continue;
    const bool severity_first = members[i].group == Class::kSlowsWithoutBasis;
    if (best == members.size() ||
        EarlierByStage(findings[members[i].index], findings[members[best].index], severity_first)) {
      best = i;
    }
  }
  const std::size_t index = members[best].index;
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(best));
  return index;
}

/// All findings class by class, consequences not yet moved.
std::vector<std::size_t> OrderByClass(const std::vector<Standing>& standings,
                                      const std::vector<Finding>& findings) {
  std::vector<std::size_t> order;
  for (int group = 0; group <= static_cast<int>(Class::kOk); ++group) {
    std::vector<Standing> members;
    std::copy_if(standings.begin(), standings.end(), std::back_inserter(members),
                 [&](const Standing& s) { return s.group == static_cast<Class>(group); });
    while (!members.empty()) order.push_back(TakeNext(members, findings));
  }
  return order;
}

/// Roots in order; under each what follows from it, as soon as all of its causes were listed.
std::vector<std::size_t> ListUnderCauses(const std::vector<std::size_t>& by_class,
                                         const CauseGraph& causes) {
  std::vector<bool> listed(causes.size(), false);
  std::vector<std::size_t> order;
  while (order.size() < by_class.size()) {
    // After a cause its consequences come first; the scan for them starts from the best again, so
    // that those of the last finding are found before the next root is.
    const auto is_next = [&](std::size_t i, bool root) {
      return !listed[i] && causes[i].empty() == root &&
             std::all_of(causes[i].begin(), causes[i].end(),
                         [&](std::size_t c) { return listed[c]; });
    };
    auto next = std::find_if(by_class.begin(), by_class.end(),
                             [&](std::size_t i) { return is_next(i, false); });
    if (next == by_class.end()) {
      next = std::find_if(by_class.begin(), by_class.end(),
                          [&](std::size_t i) { return is_next(i, true); });
    }
    if (next == by_class.end()) break;  // can't be: the graph has no circles
    listed[*next] = true;
    order.push_back(*next);
  }
  return order;
}

void FillExplanations(std::vector<Finding>& findings, const CauseGraph& causes) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    Finding& finding = findings[i];
    finding.explained_by.clear();
    for (const std::size_t cause : causes[i]) {
      const std::string& id = findings[cause].id;
      const auto at =
          std::lower_bound(finding.explained_by.begin(), finding.explained_by.end(), id);
      if (at == finding.explained_by.end() || *at != id) finding.explained_by.insert(at, id);
    }
    finding.effect = finding.Info().effect;
    for (const std::size_t consequence : AllConsequencesOf(i, causes)) {
      finding.effect = std::max(finding.effect, findings[consequence].Info().effect);
    }
  }
}

std::vector<std::string> AlertsOf(const std::vector<Finding>& findings) {
  std::vector<std::string> alerts;
  for (const Finding& finding : findings) {
    const bool urgent = finding.Info().action >= Action::kDrain;
    const bool known = std::find(alerts.begin(), alerts.end(), finding.id) != alerts.end();
    if (urgent && !known) alerts.push_back(finding.id);
  }
  return alerts;
}

}  // namespace

Ranking Rank(std::vector<Finding> findings, const RankingContext& context,
             const RankingPolicy& policy) {
  for (Finding& finding : findings) {
    DropSenselessNumbers(finding);
    if (context.device_idle > policy.device_idle) ZeroLowOfDeviceFault(finding);
  }
  // From here on nothing depends on the order in which the rules ran.
  std::sort(findings.begin(), findings.end(),
            [](const Finding& a, const Finding& b) { return Identity(a) < Identity(b); });
  const CauseGraph causes = CoveringCauses(findings, policy);
  FillExplanations(findings, causes);

  std::vector<Standing> standings;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    standings.push_back(StandingOf(i, findings, causes, context, policy));
    if (standings.back().group == Class::kMaySlow) findings[i].confidence = Confidence::kLow;
  }
  const std::vector<std::size_t> order = ListUnderCauses(OrderByClass(standings, findings), causes);

  Ranking ranking;
  for (const std::size_t i : order) ranking.findings.push_back(std::move(findings[i]));
  if (!order.empty() && standings[order.front()].group <= Class::kRiskAlone) ranking.verdict = 0;
  ranking.alerts = AlertsOf(ranking.findings);
  return ranking;
}

}  // namespace gpuwhy
