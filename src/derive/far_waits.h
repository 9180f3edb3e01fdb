// Waits that lead out of what can be proven: a job that waits there is not healthy, and no cause of
// it can be named either. What was seen of them is said, so that nobody takes "no cause" for
// "fine".
#pragma once

#include "derive/chain.h"
#include "derive/looks.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Adds a blind for each of these in which the consumer spent a tenth of the looks or more: loaders
/// that neither run nor read while it waits for them, a peer outside the job, something whose far
/// end is not known, a timer. Urgent from half of the looks on: then it may be the whole answer.
void NoteFarWaits(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts);

}  // namespace gpuwhy
