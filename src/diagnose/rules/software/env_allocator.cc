#include "base/i18n.h"
#include "diagnose/rules/software/job_variables.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult EnvAllocator(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "env.allocator",
      Severity::kWarning,
      Confidence::kMedium,
      N_("The framework's cache of GPU memory is turned off"),
      N_("Every tensor is allocated from the driver and given back to it. Each of these calls "
         "takes "
         "long, and giving back waits until the GPU is done. It is a setting for hunting memory "
         "faults."),
      N_("Take the setting out and compare the step time."),
      N_("Unset PYTORCH_NO_CUDA_MEMORY_CACHING in the job's script and its container."),
      "env | grep PYTORCH_NO_CUDA_MEMORY_CACHING"};
  // PyTorch asks only whether the variable is set: also "0" turns the cache off.
  std::vector<const Fact*> evidence;
  for (const JobVariable& variable : JobVariables(facts, "PYTORCH_NO_CUDA_MEMORY_CACHING"))
    evidence.push_back(variable.fact);
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
