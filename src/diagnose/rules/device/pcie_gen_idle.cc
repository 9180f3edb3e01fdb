#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "pcie.gen-idle";
constexpr Wording kWording = {
    N_("The PCIe link is slow because the GPU is idle"),
    N_("Idle links drop to a lower generation to save power and rise with the load."),
    N_("Leave it."), N_("Look again under load."), "nvidia-smi -q | grep -A9 \"GPU Link Info\""};

}  // namespace

RuleResult PcieGenIdle(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> now = gpu.Number(FactId::kGpuLinkGen);
    const std::optional<double> most = gpu.Number(FactId::kGpuLinkGenMax);
    if (!now || !most || *now <= 0 || *now >= *most) continue;
    const bool known = gpu.Look(FactId::kGpuUtilization) != nullptr ||
                       gpu.Look(FactId::kGpuPstate) != nullptr ||
                       gpu.Look(FactId::kGpuReasonIdle) != nullptr;
    if (!known || (!gpu.IsIdle(policy.gpu) && gpu.PerformanceState().value_or(0) < 5)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu,
               {FactId::kGpuLinkGen, FactId::kGpuLinkGenMax, FactId::kGpuPstate,
                FactId::kGpuUtilization, FactId::kGpuSmClock, FactId::kGpuPower});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
