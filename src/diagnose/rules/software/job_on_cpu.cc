#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult JobOnCpu(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "job.on-cpu",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The framework was built without CUDA"),
      N_("This build can only compute on the CPU, whatever GPUs and drivers are there."),
      N_("Install a build with CUDA."),
      N_("Install the package from the index that carries CUDA builds, and check that no other "
         "environment comes first."),
      "python3 -c 'import torch; print(torch.version.cuda)'"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidCpuBuild});
  if (evidence.empty()) return {};
  const std::vector<const Fact*> report = AllOf(facts, {FactId::kEnvLine});
  evidence.insert(evidence.end(), report.begin(), report.end());
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
