// Facts and policy in, Diagnosis out: runs every rule, ranks, writes the summary and gathers what
// was not seen.
#pragma once

#include "diagnose/diagnosis.h"
#include "diagnose/policy.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Never fails; without any fact the answer is that nothing was measured. What an unknown hides is
/// limited to what a rule of this build could find. source, inputs, overhead and tool_version are
/// the caller's to fill.
[[nodiscard]] Diagnosis Diagnose(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
