#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/rule_view.h"

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

}  // namespace

RuleResult PcieErrors(const FactSet& facts, const Policy& policy) {
  RuleResult result;
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
