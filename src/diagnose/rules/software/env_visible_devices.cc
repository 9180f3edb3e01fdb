#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult EnvVisibleDevices(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "env.visible-devices",
      Severity::kCritical,
      Confidence::kHigh,
      N_("A GPU was asked for that is not there"),
      N_("The name or number in NVIDIA_VISIBLE_DEVICES, --gpus or CUDA_VISIBLE_DEVICES matches no "
         "device of this host. The GPUs themselves are not at fault."),
      N_("Correct the name; compare it with nvidia-smi -L."),
      N_("Set NVIDIA_VISIBLE_DEVICES or --gpus to an index or UUID of nvidia-smi -L; MIG instances "
         "have UUIDs of their own that change when they are made anew."),
      "nvidia-smi -L"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidUnknownDevice}));
}

}  // namespace gpuwhy
