#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "vram.bar1-exhausted";
constexpr Wording kWording = {
    N_("The BAR1 aperture is full"),
    N_("The window through which other devices and the CPU map device memory has no room left; "
       "further mappings fail though device memory is free."),
    N_("Find what maps it; it is not device memory that is short."),
    N_("Enable a large BAR in the firmware, or map less at once."), "nvidia-smi -q -d MEMORY"};

}  // namespace

RuleResult VramBar1Exhausted(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> used = gpu.Number(FactId::kGpuBar1Used);
    const std::optional<double> total = gpu.Number(FactId::kGpuBar1Total);
    if (!used || !total || *total <= 0 || *used < policy.gpu.bar1_full * *total) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu, {FactId::kGpuBar1Used, FactId::kGpuBar1Total});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
