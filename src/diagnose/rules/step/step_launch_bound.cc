#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/step/step_claims.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult StepLaunchBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "step.launch-bound", N_("The kernels fill only {} of the profiled CPU time"),
      N_("The host spends its time on starting work, and the device runs out of it."),
      N_("Make fewer and larger launches."),
      N_("CUDA graphs or torch.compile, a larger batch, fused operations; keep Python and .item() "
         "out of the inner loop.")};
  RuleResult result;
  for (const Fact* share : facts.All(FactId::kProfileDeviceShare)) {
    if (!IsNumber(share) || share->Number() > kDeviceIdle) continue;
    // A profile whose time is the loader's says nothing of launches.
    if (facts.Find(FactId::kProfileLoaderShare, share->subject) != nullptr ||
        facts.Find(FactId::kProfileUnexplained, share->subject) != nullptr)
      continue;
    Finding finding = StepFinding(kClaim, *share, Confidence::kMedium);
    finding.cost = RatioCost(1 - share->Number());
    finding.cost->low = 0;
    CiteOfInput(facts, share->subject, {FactId::kProfileDeviceTime, FactId::kProfileLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
