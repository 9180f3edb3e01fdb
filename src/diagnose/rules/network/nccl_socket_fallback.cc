#include <algorithm>
#include <string>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

/// Sockets over an IP interface of InfiniBand: "NET/Socket : Using [0]ib0:...".
bool OverIpoib(const FactSet& facts) {
  const std::vector<const Fact*> lines = AllOf(facts, {FactId::kSaidSocketUsed});
  return std::any_of(lines.begin(), lines.end(), [](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    return text != nullptr && text->find("]ib") != std::string::npos;
  });
}

/// Sockets are right on hosts that have nothing faster, and on a single host nothing goes over
/// them.
RuleResult WhetherThereIsAFabric(const FactSet& facts) {
  const bool told = Has(facts, FactId::kSaidIbDisabled);
  if (!told && !SocketsCarryChannels(facts)) return {};
  return {{},
          {{_("whether these hosts have a faster network than the TCP that NCCL uses"),
            told ? _("NCCL_IB_DISABLE is set, so NCCL did not look for one; on a single host it "
                     "would not matter")
                 : _("NCCL found no RDMA device, which is right where there is none"),
            _("on that host: ls /sys/class/infiniband; where it lists a device, unset "
              "NCCL_IB_DISABLE, and hand /dev/infiniband into containers"),
            {"nccl.socket-fallback"}}}};
}

}  // namespace

bool SocketsCarryChannels(const FactSet& facts) {
  const std::vector<const Fact*> lines = AllOf(facts, {FactId::kSaidSocketUsed});
  return std::any_of(lines.begin(), lines.end(), [](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    return text != nullptr && text->find("via NET/Socket") != std::string::npos;
  });
}

RuleResult NcclSocketFallback(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.socket-fallback",
      Severity::kWarning,
      Confidence::kHigh,
      N_("NCCL uses TCP although the host has an RDMA device"),
      N_("Collectives between nodes go over sockets, at a fraction of the fabric's rate."),
      N_("Let NCCL use the fabric."),
      N_("Unset NCCL_IB_DISABLE; in containers hand in /dev/infiniband and the RDMA libraries; "
         "NCCL_DEBUG=INFO says why a device was not taken."),
      "ibv_devinfo"};
  if (!Has(facts, FactId::kSaidSocketUsed)) return {};
  // That InfiniBand was switched off says nothing of a host without it, nor of a job that has all
  // its ranks on one.
  const bool switched_off = Has(facts, FactId::kSaidIbDisabled) && SocketsCarryChannels(facts) &&
                            !Has(facts, FactId::kSaidGraphicsCard);
  // NCCL itself listed a device and took the socket all the same.
  const bool passed_over =
      Has(facts, FactId::kSaidIbDevice) && !Has(facts, FactId::kSaidFabricUsed);
  if (!switched_off && !passed_over && !Has(facts, FactId::kPortActive) && !OverIpoib(facts)) {
    return WhetherThereIsAFabric(facts);
  }
  return Stated(
      kClaim, AllOf(facts, {FactId::kSaidIbDisabled, FactId::kSaidIbDevice, FactId::kSaidSocketUsed,
                            FactId::kSaidNoIbDevice, FactId::kPortActive}));
}

}  // namespace gpuwhy
