#include <string>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NetLinkDegraded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"net.link-degraded",
                               Severity::kWarning,
                               Confidence::kLow,
                               N_("A port of the fabric is down or slower than its twins"),
                               N_("Other ports of the host are up at the full rate; collectives "
                                  "that are spread over all of them lose this one's part."),
                               N_("Look at cable, transceiver and switch port."),
                               N_("Reseat or replace the cable; compare ibstat and the switch's "
                                  "port state. A port that is disabled on purpose is no fault."),
                               "ibstat"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kPortSlow, FactId::kPortDown});
  const bool twins = Has(facts, FactId::kPortActive);
  // Switched off by an administrator, or never cabled. Without a port that is up only one that
  // looks for its partner, or is not yet let in by the subnet manager, is known to be meant to be.
  std::erase_if(evidence, [&](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    if (text == nullptr || text->find("Disabled") != std::string::npos) return true;
    return !twins && text->find("Polling") == std::string::npos &&
           text->find("Initializing") == std::string::npos;
  });
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
