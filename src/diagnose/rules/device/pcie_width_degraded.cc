#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "pcie.width-degraded";
constexpr Wording kWording = {
    N_("The PCIe link has fewer lanes than the card"),
    N_("Lanes do not drop by idling. Either the slot has no more, or some lanes failed."),
    N_("Compare with the same slot of a sister node and with the manual of the board."),
    N_("Where the sister node has more lanes: drain the node, reseat the card, check riser, "
       "bifurcation and slot."),
    ""};

}  // namespace

RuleResult PcieWidthDegraded(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  const std::vector<GpuMoment> moments = GpuMoments(facts);
  for (const GpuMoment& gpu : moments) {
    const std::optional<double> now = gpu.Number(FactId::kGpuLinkWidth);
    const std::optional<double> most = gpu.Number(FactId::kGpuLinkWidthMax);
    const bool narrow = now && most && *now > 0 && *now < *most && !IsNarrowByDesign(gpu, moments);
    // A link between a switch and the processor, which all behind the switch share.
    const bool narrow_way = gpu.Look(FactId::kGpuPathLost) != nullptr;
    if (!narrow && !narrow_way) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    finding.verify = LspciCommand(gpu.Of());
    CiteMoment(finding, gpu,
               {FactId::kGpuLinkWidth, FactId::kGpuLinkWidthMax, FactId::kGpuLinkGen,
                FactId::kGpuLinkGenMax, FactId::kGpuPathLost});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
