#include <string>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "pcie.errors";
constexpr Wording kWording = {
    N_("The PCIe link of the GPU makes errors"),
    N_("Packets on its link are damaged and sent again, more of them than the specification "
       "allows. Each costs time, and a link that gets worse ends in a lost GPU."),
    N_("Watch whether they go on; have the slot looked at if they do."),
    N_("Reseat the card, its riser and cables; then try another slot."),
    "cat /sys/bus/pci/devices/BUS/aer_dev_correctable"};

/// What the kernel log or another pasted output says of a link.
RuleResult Said(const FactSet& facts) {
  constexpr StatedClaim kClaim{
      "pcie.errors",
      Severity::kWarning,
      Confidence::kMedium,
      N_("A PCIe link reports errors that were not corrected"),
      N_("Packets were lost. The device behind the link, by its address in the line, need not be a "
         "GPU."),
      N_("See which device the address belongs to, and whether it comes back."),
      N_("Reseat the card and check riser and slot; compare the counts of the links."),
      "dmesg -T | grep -i aer"};
  std::vector<const Fact*> lost;
  std::vector<const Fact*> corrected;
  for (const Fact* fact : AllOf(facts, {FactId::kSaidAerError})) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    if (text == nullptr) continue;
    (text->find("ncorrect") != std::string::npos ? lost : corrected).push_back(fact);
  }
  RuleResult result = Stated(kClaim, lost);
  if (lost.empty() && !corrected.empty()) {
    result.unknowns.push_back(
        {_("whether the PCIe link's errors come often enough to matter"),
         _("the link repaired them by sending again, which a few times an hour costs nothing"),
         _("count them over a minute under load: dmesg -T | grep -ci 'aer.*corrected'; and see "
           "which device the address is: lspci"),
         {"pcie.errors"}});
  }
  return result;
}

}  // namespace

RuleResult PcieErrors(const FactSet& facts, const Policy& policy) {
  RuleResult result = Said(facts);
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> rate = gpu.Number(FactId::kGpuAerRate);
    if (!rate || *rate < policy.gpu.link_errors) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuAerRate, FactId::kGpuAerCorrected, FactId::kGpuAerUncorrected,
                FactId::kGpuPcieReplays, FactId::kGpuLinkGen, FactId::kGpuLinkWidth});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
