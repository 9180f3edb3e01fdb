#include <algorithm>

#include "base/i18n.h"
#include "base/text.h"
#include "diagnose/rules/host/host_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NetIpoibDown(const FactSet& facts, const Policy& /*policy*/) {
  static constexpr StatedClaim kClaim{
      "net.ipoib-down",
      Severity::kInfo,
      Confidence::kMedium,
      N_("An IP interface over InfiniBand is down, its port is up"),
      N_("RDMA goes through the port; the IP interface on top of it is only needed where programs "
         "speak IP over it."),
      N_("No fault of the fabric, and no reason for slow collectives over RDMA."),
      N_("Where a job names this interface (NCCL_SOCKET_IFNAME, GLOO_SOCKET_IFNAME), bring it up "
         "or name another one."),
      "ibdev2netdev; ibstat"};
  std::vector<const Fact*> evidence;
  for (const Fact* down : AllOf(facts, {FactId::kIpoibDown})) {
    const auto* line = std::get_if<std::string>(&*down->value);
    if (line == nullptr) continue;
    for (const Fact* port : AllOf(facts, {FactId::kPortActive})) {
      const auto* text = std::get_if<std::string>(&*port->value);
      if (text == nullptr) continue;
      const std::string device = text->substr(0, text->find(':'));
      if (device.empty() || !Holds(*line, device + " ")) continue;
      evidence.push_back(down);
      evidence.push_back(port);
    }
  }
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
