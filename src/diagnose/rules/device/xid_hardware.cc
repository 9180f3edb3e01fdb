#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult XidHardware(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "xid.hardware",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The driver reported a fault of the hardware"),
      N_("The number of the Xid stands for a fault of the board, its power or its firmware."),
      N_("Drain the node and look the number up."),
      N_("Read the entry of the Xid in the catalogue of the driver, reset the GPU, and have the "
         "board checked if it comes back."),
      "dmesg -T | grep -i xid"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidCause}));
}

}  // namespace gpuwhy
