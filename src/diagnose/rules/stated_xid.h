// What the driver's Xid messages in the kernel log mean. One function a finding.
#pragma once

#include "diagnose/rule.h"

namespace gpuwhy {

[[nodiscard]] RuleResult XidFallenOffBus(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult XidResetNeeded(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult XidNvlinkErrors(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult XidRemapFailed(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult XidUncorrectable(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult XidHardware(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult XidApplication(const FactSet& facts, const Policy& policy);
[[nodiscard]] RuleResult XidRecoveryAction(const FactSet& facts, const Policy& policy);

}  // namespace gpuwhy
