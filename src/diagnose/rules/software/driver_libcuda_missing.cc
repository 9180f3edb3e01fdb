#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverLibcudaMissing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.libcuda-missing",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The CUDA driver library is missing"),
      N_("libcuda.so.1 comes with the driver, in containers from the host. It was not found."),
      N_("Make the library available; nothing reaches the GPU without it."),
      N_("Host: install the driver's compute package. Container: start it with --gpus and "
         "NVIDIA_DRIVER_CAPABILITIES=compute,utility."),
      "ldconfig -p | grep libcuda"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidLibcudaMissing}));
}

}  // namespace gpuwhy
