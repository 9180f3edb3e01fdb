#include "diagnose/causes.h"

#include <algorithm>
#include <utility>

namespace gpuwhy {
namespace {

bool IsClaim(const Finding& finding) {
  const FindingKind kind = finding.Info().kind;
  return kind == FindingKind::kFault || kind == FindingKind::kLimit;
}

bool BoundByRule(const Finding& finding, const Finding& cause) {
  return std::find(finding.causes.begin(), finding.causes.end(), cause.id) != finding.causes.end();
}

bool MayBeCause(const Finding& finding, const Finding& cause) {
  if (IsClaim(finding) && !IsClaim(cause)) return false;
  if (!MayExplain(cause.id, finding.Info())) return false;
  return cause.subject == finding.subject || BoundByRule(finding, cause);
}

/// A cause of a finding without a cost must be large enough to be an answer itself: 1 % of thermal
/// loss does not explain a compute-bound step away.
bool IsWeighty(const Finding& cause, const RankingPolicy& policy) {
  if (cause.Info().effect == Effect::kBlocks) return true;
  if (cause.Info().effect == Effect::kBounds)
    return BoundInOrder(cause, policy) >= policy.min_bound;
  return cause.cost ? cause.cost->share >= policy.min_cost : true;
}

/// Does one cause suffice for a finding that has no cost of its own?
bool ExplainsUncosted(const Finding& finding, const Finding& cause, const RankingPolicy& policy) {
  const Effect of_cause = cause.Info().effect;
  switch (finding.Info().effect) {
    case Effect::kNone:
      return true;  // a state has nothing to cover
    case Effect::kRisk:
      return of_cause >= Effect::kRisk;
    case Effect::kBounds:
      if (of_cause == Effect::kBounds) {
        return BoundInOrder(cause, policy) >= policy.explained * BoundInOrder(finding, policy);
      }
      if (!cause.cost) return of_cause == Effect::kBlocks || BoundByRule(finding, cause);
      return IsWeighty(cause, policy);
    case Effect::kSlows:
      return of_cause >= Effect::kBounds && IsWeighty(cause, policy);
    case Effect::kBlocks:
      // What only slows explains a hang where the rule found the hang to end there, and nowhere
      // else: a stuck job may have slow storage as well.
      return of_cause == Effect::kBlocks || BoundByRule(finding, cause);
  }
  return false;
}

/// What a cause covers of a cost. A limit recovers nothing, but the time in which it bounded the
/// step is time that the symptom is made of; what blocks covers all.
double Coverage(const Finding& cause, bool by_low) {
  if (cause.Info().effect == Effect::kBlocks) return 1;
  if (cause.bound) return *cause.bound;
  if (!cause.cost) return 0;
  return by_low ? cause.cost->low : cause.cost->share;
}

/// Of two causes of one finding where one explains the other, one lies inside the other: only the
/// larger counts, the outer one where they are equal. Their time would be counted twice otherwise.
bool IsNested(std::size_t inner, const std::vector<std::size_t>& causes, const CauseGraph& possible,
              const std::vector<double>& coverage) {
  const auto explains = [&](std::size_t cause, std::size_t finding) {
    return std::binary_search(possible[finding].begin(), possible[finding].end(), cause);
  };
  return std::any_of(causes.begin(), causes.end(), [&](std::size_t other) {
    if (other == inner) return false;
    return (explains(inner, other) && coverage[other] >= coverage[inner]) ||
           (explains(other, inner) && coverage[other] > coverage[inner]);
  });
}

/// Sum of what the causes cover against the finding's low: two causes that each cover half explain
/// it together. Costs of one law overlap rather than add up, so the sum may say too much; taking
/// the largest alone would make a symptom the answer wherever it has two causes, which is worse.
/// The largest are taken until it is enough; smaller ones are no part of the explanation. Where the
/// low is 0 (a device fault while the device idles) the share stands in for it: a low of 0 would be
/// covered by anything.
std::vector<std::size_t> CoverCost(std::size_t finding, const std::vector<Finding>& findings,
                                   const CauseGraph& possible, const RankingPolicy& policy) {
  const Cost& cost = *findings[finding].cost;
  const bool by_low = cost.low > 0;
  std::vector<double> coverage(findings.size(), 0);
  for (const std::size_t cause : possible[finding]) {
    coverage[cause] = Coverage(findings[cause], by_low);
  }
  std::vector<std::size_t> outer;
  for (const std::size_t cause : possible[finding]) {
    const bool counts = coverage[cause] > 0;
    if (counts && !IsNested(cause, possible[finding], possible, coverage)) outer.push_back(cause);
  }
  std::stable_sort(outer.begin(), outer.end(),
                   [&](std::size_t a, std::size_t b) { return coverage[a] > coverage[b]; });
  const double wanted = policy.explained * (by_low ? cost.low : cost.share);
  double covered = 0;
  std::vector<std::size_t> taken;
  for (const std::size_t cause : outer) {
    taken.push_back(cause);
    covered += coverage[cause];
    if (covered >= wanted) {
      std::sort(taken.begin(), taken.end());
      return taken;
    }
  }
  return {};
}

/// reached[j]: j is among the causes of `from`, or among theirs, and so on.
std::vector<bool> Reach(const CauseGraph& graph, std::size_t from) {
  std::vector<bool> reached(graph.size(), false);
  std::vector<std::size_t> open = graph[from];
  while (!open.empty()) {
    const std::size_t next = open.back();
    open.pop_back();
    if (reached[next]) continue;
    reached[next] = true;
    open.insert(open.end(), graph[next].begin(), graph[next].end());
  }
  return reached;
}

}  // namespace

double BoundInOrder(const Finding& finding, const RankingPolicy& policy) {
  return finding.bound.value_or(finding.at_one_moment ? policy.min_bound : 0);
}

CauseGraph PossibleCauses(const std::vector<Finding>& findings) {
  CauseGraph graph(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    for (std::size_t j = 0; j < findings.size(); ++j) {
      if (i != j && MayBeCause(findings[i], findings[j])) graph[i].push_back(j);
    }
  }
  return graph;
}

void DropCircles(CauseGraph& graph) {
  std::vector<std::vector<bool>> reach;
  reach.reserve(graph.size());
  for (std::size_t i = 0; i < graph.size(); ++i) reach.push_back(Reach(graph, i));
  for (std::size_t i = 0; i < graph.size(); ++i) {
    std::erase_if(graph[i], [&](std::size_t cause) { return reach[cause][i]; });
  }
}

CauseGraph CoveringCauses(const std::vector<Finding>& findings, const RankingPolicy& policy) {
  CauseGraph possible = PossibleCauses(findings);
  // Before anything is counted: what lies on a circle must not cover anything.
  DropCircles(possible);
  CauseGraph covering(findings.size());
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].cost && findings[i].Info().effect == Effect::kSlows) {
      covering[i] = CoverCost(i, findings, possible, policy);
      continue;
    }
    for (const std::size_t cause : possible[i]) {
      if (ExplainsUncosted(findings[i], findings[cause], policy)) covering[i].push_back(cause);
    }
  }
  return covering;
}

}  // namespace gpuwhy
