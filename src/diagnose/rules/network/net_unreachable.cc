#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NetUnreachable(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "net.unreachable",
      Severity::kCritical,
      Confidence::kHigh,
      N_("A peer of the collective can't be reached"),
      N_("Retries to the named peer were used up, or it closed the connection. The peer died, or "
         "the network between them does not carry the traffic."),
      N_("Look at the peer first: a dead rank looks the same. Then at the network path."),
      N_("Read the peer's own log. For RDMA check that both ends use the same fabric and GID index "
         "(NCCL_IB_HCA, NCCL_IB_GID_INDEX) and that ib_write_bw runs between the two ports."),
      "ib_write_bw -d DEVICE PEER"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidPeerUnreachable}));
}

}  // namespace gpuwhy
