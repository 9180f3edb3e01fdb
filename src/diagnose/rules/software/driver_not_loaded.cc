#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverNotLoaded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.not-loaded",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The NVIDIA kernel driver does not answer"),
      N_("No module of the driver is loaded, or it did not accept the device."),
      N_("Take the node out until the driver is loaded."),
      N_("Load it (modprobe nvidia) and read why it fails in the kernel log."),
      "lsmod | grep nvidia; dmesg | grep -i nvrm"};
  // What keeps it from loading is the better answer.
  if (Has(facts, FactId::kSaidKeyRejected) || Has(facts, FactId::kSaidModuleBuildFailed) ||
      Has(facts, FactId::kSaidNouveau) || Has(facts, FactId::kSaidLibraryMismatch)) {
    return {};
  }
  return Stated(kClaim, SaidOf(facts, "smi.no-driver", {FactId::kSaidDriverNotLoaded}));
}

}  // namespace gpuwhy
