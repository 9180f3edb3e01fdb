#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "pcie.slot-limited";
constexpr Wording kWording = {
    N_("The slot is slower than the card"),
    N_("The slot offers a lower PCIe generation than the card could use."),
    N_("A property of the machine. It matters only where copies to the GPU bound the job."),
    N_("Use another slot or board."), "lspci -vv -s BUS"};

}  // namespace

RuleResult PcieSlotLimited(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> card = gpu.Number(FactId::kGpuLinkGenDeviceMax);
    const std::optional<double> slot = gpu.Number(FactId::kGpuLinkGenHostMax);
    if (!card || !slot || *slot <= 0 || *slot >= *card) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuLinkGenDeviceMax, FactId::kGpuLinkGenHostMax, FactId::kGpuLinkGen,
                FactId::kGpuLinkWidth, FactId::kGpuLinkWidthMax});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
