#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/network/network_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NcclGdrOff(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nccl.gdr-off",
      Severity::kWarning,
      Confidence::kHigh,
      N_("NCCL moves data between NIC and GPU through host memory"),
      N_("Direct access of the NIC to GPU memory is off, so every byte crosses the host's memory "
         "and its PCIe links twice."),
      N_("Turn it on before judging the network."),
      N_("Load nvidia_peermem (or use a kernel with DMA-BUF), keep GPU and NIC under one PCIe "
         "switch or set NCCL_NET_GDR_LEVEL, and look for the reason in NCCL_DEBUG=INFO."),
      "lsmod | grep nvidia_peermem"};
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidGdrDisabled});
  // One direction with and one without it: it works, and is not used everywhere.
  if (evidence.empty() && Has(facts, FactId::kSaidChannelGdr) &&
      Has(facts, FactId::kSaidChannelNoGdr)) {
    evidence = AllOf(facts, {FactId::kSaidChannelNoGdr, FactId::kSaidChannelGdr});
  }
  // Not one channel over the fabric has it. Graphics cards can't.
  if (evidence.empty() && !Has(facts, FactId::kSaidChannelGdr) &&
      !Has(facts, FactId::kSaidGraphicsCard)) {
    evidence = AllOf(facts, {FactId::kSaidChannelNoGdr});
  }
  if (!evidence.empty()) return Stated(kClaim, evidence);
  // Without the module the fabric can't reach GPU memory, unless the driver hands out DMA-BUFs.
  if (!Has(facts, FactId::kPeermemAbsent) || !Has(facts, FactId::kSaidFabricUsed) ||
      Has(facts, FactId::kSaidChannelGdr)) {
    return {};
  }
  RuleResult result =
      Stated(kClaim, AllOf(facts, {FactId::kPeermemAbsent, FactId::kSaidFabricUsed}));
  for (Finding& finding : result.findings) finding.confidence = Confidence::kMedium;
  return result;
}

}  // namespace gpuwhy
