#include "base/i18n.h"
#include "diagnose/rules/software/modules.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverNouveau(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.nouveau",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The nouveau driver holds the GPU"),
      N_("While nouveau is bound to the device the NVIDIA driver can't use it."),
      N_("Blacklist nouveau and reboot."),
      N_("Put \"blacklist nouveau\" and \"options nouveau modeset=0\" into /etc/modprobe.d/, "
         "rebuild the initramfs, reboot."),
      "lspci -nnk -d 10de:"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidNouveau});
  const Fact* module = LoadedModule(facts, "nouveau");
  if (module != nullptr) evidence.push_back(module);
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
