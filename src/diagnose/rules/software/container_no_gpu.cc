#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult ContainerNoGpu(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "container.no-gpu",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The container was started without its GPUs"),
      N_("The container runtime does not know the NVIDIA one, or no GPU was handed in."),
      N_("Mend the start of the container; nothing inside can help."),
      N_("Install nvidia-container-toolkit, run nvidia-ctk runtime configure --runtime=docker, "
         "restart docker, and start with --gpus all."),
      "docker run --rm --gpus all ubuntu nvidia-smi"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidContainerNoGpu}));
}

}  // namespace gpuwhy
