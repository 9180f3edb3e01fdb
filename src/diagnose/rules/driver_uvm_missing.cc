#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device_rules.h"
#include "diagnose/rules/gpu_moment.h"
#include "diagnose/rules/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "driver.uvm-missing";
constexpr Wording kWording = {
    N_("The module nvidia_uvm is not loaded"),
    N_("The driver is loaded without the module that CUDA needs. It is loaded with the first CUDA "
       "program, so it may just not have been needed yet."),
    N_("If CUDA fails, load it."), N_("modprobe nvidia_uvm, or nvidia-modprobe -u"),
    "lsmod | grep nvidia_uvm"};

}  // namespace

RuleResult DriverUvmMissing(const FactSet& facts, const Policy& /*policy*/) {
  const Fact* driver = nullptr;
  for (const Fact* module : facts.All(FactId::kModuleLoaded)) {
    const std::string& name = module->subject.id;
    if (name == "nvidia_uvm") return {};
    if (name == "nvidia") driver = module;
  }
  if (driver == nullptr) return {};
  Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kLow;
  finding.evidence.push_back(Cite(*driver, _("nvidia_uvm beside it")));
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
