#include "base/i18n.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/software/modules.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverUvmMissing(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"driver.uvm-missing",
                               Severity::kCritical,
                               Confidence::kHigh,
                               N_("nvidia_uvm is not loaded"),
                               N_("CUDA needs that module beside the driver's own."),
                               N_("Load it."),
                               N_("modprobe nvidia_uvm; nvidia-modprobe -u -c=0"),
                               "lsmod | grep nvidia_uvm"};
  RuleResult result = Stated(kClaim, AllOf(facts, {FactId::kSaidUvmMissing}));
  const Fact* driver = LoadedModule(facts, "nvidia");
  if (driver == nullptr || LoadedModule(facts, "nvidia_uvm") != nullptr) return result;
  const bool asked_for = !result.findings.empty();
  if (!asked_for) result = Stated(kClaim, {driver});
  Finding& finding = result.findings.front();
  if (asked_for) {
    finding.evidence.push_back(Cite(*driver, _("nvidia_uvm beside it")));
    return result;
  }
  finding.evidence.front().expected = _("nvidia_uvm beside it");
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kLow;
  finding.meaning =
      _("The driver is loaded without the module that CUDA needs. It is loaded with the first CUDA "
        "program, so it may just not have been needed yet.");
  finding.decision = _("If CUDA fails, load it.");
  return result;
}

}  // namespace gpuwhy
