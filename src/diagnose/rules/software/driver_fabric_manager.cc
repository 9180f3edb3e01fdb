#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult DriverFabricManager(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.fabric-manager",
      Severity::kCritical,
      Confidence::kHigh,
      N_("CUDA waits for the fabric manager"),
      N_("On systems with NVSwitch, CUDA does not start before the fabric manager has set up the "
         "switches. It is not running, failed, or does not match the driver."),
      N_("Take the node out until the fabric manager runs; no CUDA job can start on it."),
      N_("Install the fabric manager of exactly the driver's version, enable and start "
         "nvidia-fabricmanager, then look at its log."),
      "systemctl status nvidia-fabricmanager"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidFabricNotReady});
  const bool failed = Has(facts, FactId::kSaidFabricManagerFailed) &&
                      Has(facts, FactId::kSaidSwitchBoard) &&
                      !Has(facts, FactId::kSaidFabricNothingToDo);
  if (evidence.empty() && failed)
    evidence = AllOf(facts, {FactId::kSaidFabricManagerFailed, FactId::kSaidSwitchBoard});
  const bool told = Has(facts, FactId::kSaidSwitchBoard) || Has(facts, FactId::kSaidGraphicsCard) ||
                    Has(facts, FactId::kSaidFabricNothingToDo);
  if (evidence.empty() && Has(facts, FactId::kSaidFabricManagerFailed) && !told) {
    return {
        {},
        {{_("whether CUDA needs the fabric manager on this host"),
          _("it does not run, which blocks every CUDA program where GPUs are joined by NVSwitch "
            "and means nothing elsewhere; no output names the board"),
          _("on that host: nvidia-smi -L, and nvidia-smi -q | grep -A3 Fabric"),
          {"driver.fabric-manager"}}}};
  }
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
