#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverModuleOtherKernel(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.module-other-kernel",
      Severity::kCritical,
      Confidence::kHigh,
      N_("There is no NVIDIA module for the running kernel"),
      N_("The module could not be built for this kernel, or was built for another."),
      N_("Build the module for this kernel, or boot the kernel it was built for."),
      N_("Install the headers of the running kernel and a driver that supports it, then dkms "
         "autoinstall; or boot the previous kernel."),
      "uname -r; dkms status"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidModuleBuildFailed}));
}

}  // namespace gpuwhy
