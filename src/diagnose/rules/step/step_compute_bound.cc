#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/step/step_claims.h"
#include "diagnose/rules/step/step_rules.h"

namespace gpuwhy {

RuleResult StepComputeBound(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StepClaim kClaim{
      "step.compute-bound", N_("{} of the step is computing: forward and backward"),
      N_("Data is there in time and the step is the model's own work."),
      N_("Nothing is wrong; to go faster, make the work itself cheaper."),
      N_("Mixed precision, fused kernels or compilation, a faster GPU, or more of them.")};
  RuleResult result = StepLimits(kClaim, facts, FactId::kLogComputeShare, kComputeShare);
  std::erase_if(result.findings, [&](const Finding& finding) {
    const Reading<double> data = facts.Number(FactId::kLogDataShare, finding.subject);
    return data && *data >= kInputShare;
  });
  static constexpr StepClaim kProfile{
      "step.compute-bound", N_("The kernels fill {} of the profiled CPU time"),
      N_("The device works nearly all of the time that was profiled: the CPU waits for it."),
      N_("Nothing is wrong; to go faster, make the work itself cheaper."),
      N_("Mixed precision, fused kernels or compilation, a faster GPU, or more of them.")};
  for (const Fact* share : AtLeast(facts, FactId::kProfileDeviceShare, kDeviceBusy)) {
    Finding finding = StepFinding(kProfile, *share, Confidence::kMedium);
    finding.bound = std::clamp(share->Number(), 0.0, 1.0);
    finding.severity = Severity::kInfo;
    CiteOfInput(facts, share->subject, {FactId::kProfileDeviceTime, FactId::kProfileLine}, finding);
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
