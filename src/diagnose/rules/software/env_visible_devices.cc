#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/software/job_variables.h"
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

constexpr StatedClaim kHidden{
    "env.visible-devices",
    Severity::kCritical,
    Confidence::kMedium,
    N_("CUDA_VISIBLE_DEVICES hides every GPU from the job"),
    N_("The job uses a framework for GPUs and holds none: its environment names no device of this "
       "host. It can only compute on the CPU, which may be on purpose."),
    N_("If it is meant to use a GPU, correct the variable."),
    N_("Set CUDA_VISIBLE_DEVICES to an index or UUID of nvidia-smi -L, or unset it. A scheduler "
       "sets it by what the job asked for: ask it for a GPU."),
    "nvidia-smi -L; echo \"$CUDA_VISIBLE_DEVICES\""};

/// CUDA takes devices up to the first that is none: an empty list, a negative number, or an index
/// beyond the GPUs in first place leaves none.
bool HidesAll(std::string_view list, std::size_t gpus) {
  const std::string_view first = NextToken(list, ',');
  if (first.empty()) return true;
  const std::optional<int> index = ParseNumber<int>(first);
  return index && (*index < 0 || (gpus > 0 && static_cast<std::size_t>(*index) >= gpus));
}

/// Of a watched job that holds no device although it uses a framework and there are some.
RuleResult HiddenFromJob(const FactSet& facts) {
  const std::vector<const Fact*> gpus = AllOf(facts, {FactId::kGpuName});
  if (facts.jobs.empty() || facts.jobs.front().gpu != GpuSign::kFramework || gpus.empty())
    return {};
  std::vector<const Fact*> evidence;
  for (const JobVariable& variable : JobVariables(facts, "CUDA_VISIBLE_DEVICES")) {
    // Another process of the job sees a device.
    if (!HidesAll(variable.value, gpus.size())) return {};
    evidence.push_back(variable.fact);
  }
  if (evidence.empty()) return {};
  evidence.insert(evidence.end(), gpus.begin(), gpus.end());
  RuleResult result = Stated(kHidden, evidence);
  result.findings.front().subject = facts.jobs.front().subject;
  return result;
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
  if (result.findings.empty()) result = HiddenFromJob(facts);
  if (!result.findings.empty() || AnotherReasonIsNamed(facts)) return result;
  return Stated(kNoneSeen, AllOf(facts, {FactId::kSaidNoDevice}));
}

}  // namespace gpuwhy
