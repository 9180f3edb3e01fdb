#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr double kDirectSlower = 0.8;  ///< of the staged rate

}  // namespace

RuleResult TopoP2pSlower(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "topo.p2p-slower",
      Severity::kWarning,
      Confidence::kHigh,
      N_("Direct copies between GPUs are slower than through the host"),
      N_("The test copies between each pair with and without peer access. With it the rate is "
         "lower: the path of peer traffic is the bad one."),
      N_("Mend the peer path, or turn peer access off for collectives."),
      N_("Look at ACS and IOMMU settings and at the root complex between the devices. Until then "
         "NCCL_P2P_DISABLE=1 may be faster: measure it."),
      "nvidia-smi topo -p2p r"};
  for (const Fact* direct : NumbersOf(facts, FactId::kP2pDirect)) {
    const Fact* staged = facts.Find(FactId::kP2pStaged, direct->subject);
    if (!IsNumber(staged) || direct->Number() >= kDirectSlower * staged->Number()) continue;
    std::vector<const Fact*> evidence{direct, staged};
    for (const Fact* line : AllOf(facts, {FactId::kBandwidthLine})) {
      if (line->subject == direct->subject) evidence.push_back(line);
    }
    return Stated(kClaim, evidence);
  }
  return {};
}

}  // namespace gpuwhy
