#include <string>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult EnvLaunchBlocking(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "env.launch-blocking",
      Severity::kWarning,
      Confidence::kMedium,
      N_("CUDA_LAUNCH_BLOCKING is on"),
      N_("Every kernel launch waits for the kernel to end: a setting for debugging."),
      N_("Unset it."),
      N_("Remove CUDA_LAUNCH_BLOCKING=1 from the job's environment."),
      "env | grep CUDA_LAUNCH_BLOCKING"};
  // The same words stand in the advice that follows a CUDA error.
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidLaunchBlocking});
  std::erase_if(evidence, [](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    return text == nullptr || text->find("onsider passing") != std::string::npos;
  });
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
