#include <algorithm>
#include <variant>

#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverInitSlow(const FactSet& facts, const Policy& policy) {
  static constexpr StatedClaim kClaim{
      "driver.init-slow",
      Severity::kWarning,
      Confidence::kMedium,
      N_("The GPU driver takes seconds to start"),
      N_("Where nobody else uses the GPUs the first client brings each of them up, and waits for "
         "it. "
         "Health checks, container starts and schedulers that give it less time take the node for "
         "broken."),
      N_("Keep the driver loaded, or give its callers more time."),
      N_("systemctl enable --now nvidia-persistenced. Where it runs already, see which GPU is "
         "slow: "
         "nvidia-smi -i 0, and so on for each."),
      "time nvidia-smi -L"};
  std::vector<const Fact*> evidence = NumbersOf(facts, FactId::kDriverStart);
  std::erase_if(evidence,
                [&](const Fact* start) { return start->Number() < policy.gpu.slow_start; });
  if (evidence.empty()) return {};
  bool persistence_off = false;
  for (const Fact* mode : AllOf(facts, {FactId::kGpuPersistence})) {
    const bool* on = std::get_if<bool>(&*mode->value);
    if (on == nullptr || *on) continue;
    persistence_off = true;
    evidence.push_back(mode);
  }
  RuleResult result = Stated(kClaim, evidence);
  if (persistence_off) result.findings.front().causes = {"persistence.off"};
  return result;
}

}  // namespace gpuwhy
