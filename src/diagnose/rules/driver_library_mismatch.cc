#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/gpu_moment.h"
#include "diagnose/rules/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "driver.library-mismatch";
constexpr Wording kWording = {
    N_("Driver and library have different versions"),
    N_("The driver was updated while the old kernel module is still loaded."),
    N_("Drain the node, then reload the module or reboot."),
    N_("Reboot, or unload and load the nvidia modules with nothing running."),
    "cat /proc/driver/nvidia/version"};

}  // namespace

RuleResult DriverLibraryMismatch(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    if (fact->subject.id != "smi.library-mismatch") continue;
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
