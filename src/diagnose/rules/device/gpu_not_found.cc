#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.not-found";
constexpr Wording kWording = {N_("The driver finds no GPU"),
                              N_("The driver is loaded and sees no device."),
                              N_("Look whether the bus sees it."),
                              N_("lspci, then dmesg; reseat or reboot."), "lspci -d 10de:"};

}  // namespace

RuleResult GpuNotFound(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    if (fact->subject.id != "smi.no-devices") continue;
    Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kMedium;
    finding.evidence.push_back(Cite(*fact));
    result.findings.push_back(std::move(finding));
    break;
  }
  return result;
}

}  // namespace gpuwhy
