#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "pcie.gen-degraded";
constexpr Wording kWording = {
    N_("The PCIe link is slow under load"),
    N_("The link runs at a lower generation than card and slot can, although the GPU is working."),
    N_("Look again under load; then reset or reseat."),
    N_("Check BIOS link settings, riser and cable."), "nvidia-smi -q | grep -A9 \"GPU Link Info\""};

}  // namespace

RuleResult PcieGenDegraded(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> now = gpu.Number(FactId::kGpuLinkGen);
    const std::optional<double> most = gpu.Number(FactId::kGpuLinkGenMax);
    if (!now || !most || *now <= 0 || *now >= *most) continue;
    // Only under load: idle links slow down to save power, between two steps as well.
    const std::optional<double> load = gpu.Number(FactId::kGpuUtilization);
    if (!load || *load < policy.gpu.waiting_to || gpu.HasStaleUtilization(policy.gpu)) continue;
    if (gpu.IsOn(FactId::kGpuReasonIdle) || gpu.PerformanceState().value_or(0) > 3) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuLinkGen, FactId::kGpuLinkGenMax, FactId::kGpuLinkGenHostMax,
                FactId::kGpuLinkWidth, FactId::kGpuUtilization, FactId::kGpuPstate});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
