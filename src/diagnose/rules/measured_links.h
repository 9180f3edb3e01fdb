// What bandwidth tests and port listings show.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult NumaCpuRemote(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult TopoP2pSlower(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult NcclProtocolStep(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult NcclDataCorruption(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult NetLinkDegraded(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
