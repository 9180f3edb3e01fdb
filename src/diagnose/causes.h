// Which findings are consequences of which others: the vocabulary says what may explain what, the
// subjects say where, the costs say whether it is enough. Pure.
#pragma once

#include <cstddef>
#include <vector>

#include "diagnose/finding.h"
#include "diagnose/policy.h"

namespace gpuwhy {

/// causes[i]: indices of the findings that explain finding i, ascending. Empty: i is a root.
using CauseGraph = std::vector<std::vector<std::size_t>>;

/// The bound with which a limit is compared. Where only a moment was seen it is just large enough
/// to be an answer: any limit that was measured comes before it.
[[nodiscard]] double BoundInOrder(const Finding& finding, const RankingPolicy& policy);

/// Who may explain whom: by the vocabulary, for the same subject or where the rule bound the id.
/// States and positive statements never take a verdict away from a fault or a limit.
[[nodiscard]] CauseGraph PossibleCauses(const std::vector<Finding>& findings);

/// Takes out every edge that lies on a circle: findings that explain each other explain nothing,
/// because which came first can't be told. What explains them from outside stays.
void DropCircles(CauseGraph& graph);

/// The explanations that suffice, by policy.explained. No circles. A finding whose causes cover too
/// little of it has none.
[[nodiscard]] CauseGraph CoveringCauses(const std::vector<Finding>& findings,
                                        const RankingPolicy& policy);

}  // namespace gpuwhy
