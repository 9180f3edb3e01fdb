#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverTooOld(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.too-old",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The driver is older than the CUDA version of the software needs"),
      N_("The CUDA runtime of a program or image runs only on drivers from a certain version on. "
         "This host's is older."),
      N_("Update the driver, or use a build for an older CUDA."),
      N_("Update the driver on the host (not in the container), or install the framework built for "
         "the CUDA version that nvidia-smi shows, or choose an older image."),
      "nvidia-smi --query-gpu=driver_version --format=csv"};
  if (Has(facts, FactId::kSaidCpuBuild)) return {};
  std::vector<const Fact*> evidence =
      AllOf(facts, {FactId::kSaidDriverTooOld, FactId::kEnvDriverShort});
  if (evidence.empty()) return {};
  const std::vector<const Fact*> report = AllOf(facts, {FactId::kEnvLine});
  evidence.insert(evidence.end(), report.begin(), report.end());
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
