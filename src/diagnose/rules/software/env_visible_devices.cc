#include <algorithm>
#include <array>

#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

namespace {

constexpr StatedClaim kNoneSeen{
    "env.visible-devices",
    Severity::kCritical,
    Confidence::kLow,
    N_("The job stopped: its program sees no GPU"),
    N_("Either CUDA_VISIBLE_DEVICES hides them all, or the container or the scheduler handed none "
       "in, or the driver does not answer. This message does not tell which."),
    N_("See first what the same environment shows: nvidia-smi -L."),
    N_("If nvidia-smi -L lists GPUs, look at CUDA_VISIBLE_DEVICES; if it lists none, at --gpus, "
       "the device request of the job, and the driver."),
    "nvidia-smi -L; echo \"$CUDA_VISIBLE_DEVICES\"; ls /dev/nvidia*"};

/// Messages that say why there is no GPU.
bool AnotherReasonIsNamed(const FactSet& facts) {
  constexpr std::array kReasons = {
      FactId::kSaidDriverNotLoaded,  FactId::kSaidLibraryMismatch,  FactId::kSaidContainerNoGpu,
      FactId::kSaidNvmlUnknownError, FactId::kSaidUvmMissing,       FactId::kSaidDriverTooOld,
      FactId::kSaidCudaBroken,       FactId::kSaidFabricNotReady,   FactId::kSaidFallenOffBus,
      FactId::kSaidNouveau,          FactId::kSaidLibcudaMissing,   FactId::kSaidCpuBuild,
      FactId::kSaidKeyRejected,      FactId::kSaidModuleBuildFailed};
  return std::any_of(kReasons.begin(), kReasons.end(), [&](FactId id) { return Has(facts, id); });
}

}  // namespace

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
  RuleResult result = Stated(kClaim, AllOf(facts, {FactId::kSaidUnknownDevice}));
  if (!result.findings.empty() || AnotherReasonIsNamed(facts)) return result;
  return Stated(kNoneSeen, AllOf(facts, {FactId::kSaidNoDevice}));
}

}  // namespace gpuwhy
