#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult XidRecoveryAction(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "xid.recovery-action",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The driver names what it takes to recover"),
      N_("After a fault the driver says whether a reset or a drain is needed."),
      N_("Do what it names."),
      N_("Drain the node or reset the GPU as the message says."),
      "nvidia-smi -q | grep -A2 Recovery"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidRecovery}));
}

}  // namespace gpuwhy
