#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "capture.incomplete";
constexpr Wording kWording = {
    N_("The paste is not complete"), N_("What the output announces is not all there."),
    N_("Do not conclude from what is missing."),
    N_("Save the whole output to a file and give that."), "nvidia-smi -q > smi-q.txt"};

}  // namespace

RuleResult CaptureIncomplete(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    if (fact->subject.id != "capture.incomplete") continue;
    Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kHigh;
    finding.evidence.push_back(Cite(*fact));
    result.findings.push_back(std::move(finding));
    break;
  }
  return result;
}

}  // namespace gpuwhy
