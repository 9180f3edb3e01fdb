#include <string>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr StatedClaim kSlower{
    "net.link-degraded",
    Severity::kWarning,
    Confidence::kLow,
    N_("A network link runs slower than both of its ends can"),
    N_("The card and what it is connected to offer a faster mode than the one in use, or only one "
       "of them may send at a time. Cables and transceivers that fail do this."),
    N_("Look at cable, transceiver and switch port, if the job uses this link."),
    N_("Reseat or replace the cable; compare ethtool of the same port on a sound node. A speed "
       "that was set on purpose (ethtool: Auto-negotiation off) is no fault."),
    "ethtool IFACE"};

/// Links of which both ends offer more than is in use.
std::vector<const Fact*> SlowLinks(const FactSet& facts) {
  constexpr double kRounding = 0.99;
  std::vector<const Fact*> evidence;
  for (const Fact* speed : NumbersOf(facts, FactId::kNetSpeed)) {
    const Fact* able = facts.Find(FactId::kNetSpeedAble, speed->subject);
    const Fact* duplex = facts.Find(FactId::kNetDuplex, speed->subject);
    const bool slower =
        able != nullptr && able->value.has() && speed->Number() < kRounding * able->Number();
    const auto* word = duplex != nullptr && duplex->value.has()
                           ? std::get_if<std::string>(&*duplex->value)
                           : nullptr;
    const bool half = word != nullptr && *word == "Half";
    if (!slower && !half) continue;
    evidence.push_back(speed);
    if (slower) evidence.push_back(able);
    if (half) evidence.push_back(duplex);
  }
  return evidence;
}

}  // namespace

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
  if (evidence.empty()) return Stated(kSlower, SlowLinks(facts));
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
