#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

// Wrong for a job that uses a single GPU, and where the machine was built so: two sockets whose
// root complexes pass no peer traffic on.
RuleResult TopoP2pUnavailable(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "topo.p2p-unavailable",
      Severity::kWarning,
      Confidence::kLow,
      N_("GPUs of this host can't reach each other directly"),
      N_("The driver refuses direct copies between pairs of GPUs because of the chipset, of the "
         "way "
         "between them, or of a setting. What they exchange then goes through host memory."),
      N_("Of use only where the job exchanges data between these GPUs: see which way NCCL takes."),
      N_("NCCL_DEBUG=INFO names the way (P2P or SHM). Look at ACS and IOMMU settings, and whether "
         "the GPUs hang on one root complex (nvidia-smi topo -m)."),
      "nvidia-smi topo -p2p r"};
  // Boards of that kind have no direct way by design.
  if (Has(facts, FactId::kSaidGraphicsCard)) return {};
  std::vector<const Fact*> refused = NumbersOf(facts, FactId::kPeersRefused);
  std::erase_if(refused, [](const Fact* fact) { return fact->Number() < 1; });
  if (refused.empty()) return {};
  std::vector<const Fact*> evidence{refused.front()};
  const Fact* asked = facts.Find(FactId::kPeersAsked, refused.front()->subject);
  if (IsNumber(asked)) evidence.push_back(asked);
  for (const Fact* way : AllOf(facts, {FactId::kSaidP2pDisabled})) evidence.push_back(way);
  return Stated(kClaim, evidence);
}

}  // namespace gpuwhy
