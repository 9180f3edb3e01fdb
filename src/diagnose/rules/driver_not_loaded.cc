#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/gpu_moment.h"
#include "diagnose/rules/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "driver.not-loaded";
constexpr Wording kWording = {
    N_("The NVIDIA driver is not loaded"), N_("nvidia-smi could not reach the driver."),
    N_("Find out why the module did not load."),
    N_("modprobe nvidia; then look at dmesg and at dkms status."), "lsmod | grep nvidia"};

}  // namespace

RuleResult DriverNotLoaded(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    if (fact->subject.id != "smi.no-driver") continue;
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
