#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverSecureBoot(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.secure-boot",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The kernel refused the signature of the NVIDIA module"),
      N_("Secure Boot accepts only modules signed with an enrolled key. The module is there and "
         "was not let in."),
      N_("Enroll the key or switch Secure Boot off; the GPU stays unusable until then."),
      N_("Enroll the key that signed the module (mokutil --import, then reboot and confirm), or "
         "disable Secure Boot in the firmware."),
      "mokutil --sb-state"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidKeyRejected}));
}

}  // namespace gpuwhy
