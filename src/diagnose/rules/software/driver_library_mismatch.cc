#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverLibraryMismatch(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.library-mismatch",
      Severity::kCritical,
      Confidence::kHigh,
      N_("Driver library and kernel module are of different versions"),
      N_("The package was updated while the old kernel module is still loaded. Nothing can open "
         "the GPUs until both are the same."),
      N_("Drain the node; new jobs fail, running ones go on."),
      N_("Reboot, or stop all users of the GPUs and reload the modules: rmmod nvidia_drm "
         "nvidia_modeset nvidia_uvm nvidia; modprobe nvidia."),
      "cat /proc/driver/nvidia/version"};
  return Stated(kClaim, SaidOf(facts, "smi.library-mismatch", {FactId::kSaidLibraryMismatch}));
}

}  // namespace gpuwhy
