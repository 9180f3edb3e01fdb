#include <algorithm>
#include <string>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NcclP2pDisabled(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.p2p-disabled",
      Severity::kWarning,
      Confidence::kMedium,
      N_("NCCL copies between GPUs of one host through host memory"),
      N_("The driver or a setting keeps the GPUs from reaching each other's memory. Every byte "
         "crosses the host's memory instead. Graphics cards can't do otherwise."),
      N_("Find out whether a setting or the machine forbids it."),
      N_("Unset NCCL_P2P_DISABLE; nvidia-smi topo -p2p r says per pair whether the driver allows "
         "it and why not. IOMMU and ACS of the bridges are the usual reasons."),
      "nvidia-smi topo -p2p r"};
  const std::vector<const Fact*> lines = AllOf(facts, {FactId::kSaidP2pDisabled});
  RuleResult result = Stated(kClaim, lines);
  const bool over_nvlink = std::any_of(lines.begin(), lines.end(), [](const Fact* fact) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    return text != nullptr && text->find("NVLINK connected") != std::string::npos;
  });
  for (Finding& finding : result.findings) {
    if (over_nvlink) finding.confidence = Confidence::kHigh;
  }
  return result;
}

}  // namespace gpuwhy
