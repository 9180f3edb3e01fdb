#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/gpu_moment.h"
#include "diagnose/rules/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.fallen-off-bus";
constexpr Wording kWording = {
    N_("A GPU has fallen off the bus"),
    N_("The driver lost the device: it does not answer any more."),
    N_("Drain the node and restart it cold."),
    N_("Power cycle; if it comes back, check power and riser, then replace."),
    "dmesg | grep -i xid"};

}  // namespace

RuleResult GpuFallenOffBus(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    if (fact->subject.id != "smi.gpu-lost") continue;
    Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kHigh;
    finding.evidence.push_back(Cite(*fact));
    result.findings.push_back(std::move(finding));
    break;
  }
  return result;
}

}  // namespace gpuwhy
