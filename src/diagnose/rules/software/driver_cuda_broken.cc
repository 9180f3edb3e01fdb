#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverCudaBroken(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.cuda-broken",
      Severity::kCritical,
      Confidence::kHigh,
      N_("CUDA can't initialise although the driver is there"),
      N_("The driver lists the GPUs and CUDA refuses them: stale state after a suspend, or a "
         "compatibility library that this board does not support."),
      N_("Repair the driver's state before looking at the program."),
      N_("Reload nvidia_uvm (rmmod nvidia_uvm; modprobe nvidia_uvm) or reboot. Error 804: take the "
         "cuda-compat libraries out of the library path, or update the driver."),
      "python3 -c 'import torch; torch.cuda.init()'"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidCudaBroken}));
}

}  // namespace gpuwhy
