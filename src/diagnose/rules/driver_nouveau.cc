#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/gpu_moment.h"
#include "diagnose/rules/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "driver.nouveau";
constexpr Wording kWording = {
    N_("The nouveau driver holds the GPU"), N_("The open driver is loaded; CUDA needs NVIDIA's."),
    N_("Block it and reboot."), N_("Blacklist nouveau, rebuild the initramfs, reboot."),
    "lsmod | grep nouveau"};

}  // namespace

RuleResult DriverNouveau(const FactSet& facts, const Policy& /*policy*/) {
  for (const Fact* module : facts.All(FactId::kModuleLoaded)) {
    if (module->subject.id != "nouveau") continue;
    Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kHigh;
    finding.evidence.push_back(Cite(*module, _("not loaded")));
    return {{std::move(finding)}, {}};
  }
  return {};
}

}  // namespace gpuwhy
