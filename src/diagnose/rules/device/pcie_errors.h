// pcie.errors: the kernel names the link of a GPU as the one with errors.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult PcieErrors(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
