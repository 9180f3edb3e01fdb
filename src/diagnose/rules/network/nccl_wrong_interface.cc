#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NcclWrongInterface(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.wrong-interface",
      Severity::kWarning,
      Confidence::kHigh,
      N_("NCCL took a virtual interface for its traffic"),
      N_("A bridge or container interface leads nowhere outside this host; connects over it time "
         "out or crawl."),
      N_("Name the right interface."),
      N_("Set NCCL_SOCKET_IFNAME to the interface that reaches the other nodes (or "
         "^docker,veth,virbr,lo to leave those out), on every node."),
      "ip -br addr"};
  // On a single host NCCL names its interfaces too and sends nothing over them.
  if (!SocketsCarryChannels(facts) &&
      !(Has(facts, FactId::kSaidSocketUsed) && Has(facts, FactId::kSaidConnectTimeout))) {
    return {};
  }
  if (!Has(facts, FactId::kSaidVirtualInterface)) return {};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidVirtualInterface, FactId::kSaidConnectTimeout}));
}

}  // namespace gpuwhy
