#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

/// Whether the host has NVSwitches, as far as the boards that are named tell.
bool OnlyGraphicsCards(const FactSet& facts) {
  return Has(facts, FactId::kSaidGraphicsCard) && !Has(facts, FactId::kSaidSwitchBoard);
}

}  // namespace

RuleResult DriverFabricManagerUnneeded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "driver.fabric-manager-unneeded",
      Severity::kInfo,
      Confidence::kHigh,
      N_("The fabric manager failed, and is not needed here"),
      N_("It manages NVSwitches. This system has none, so its service has nothing to start for."),
      N_("Nothing to do for the GPUs."),
      N_("Disable the service where its failure disturbs: systemctl disable nvidia-fabricmanager."),
      "lspci -d 10de: | grep -i nvswitch"};
  if (Has(facts, FactId::kSaidFabricNothingToDo)) {
    return Stated(kClaim,
                  AllOf(facts, {FactId::kSaidFabricNothingToDo, FactId::kSaidFabricManagerFailed}));
  }
  if (!OnlyGraphicsCards(facts)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidFabricManagerFailed}));
}

}  // namespace gpuwhy
