#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.sensor-unreadable";
constexpr Wording kWording = {
    N_("One sensor could not be read"),
    N_("The driver could not read this value. The other values of the GPU read well, so the device "
       "is there."),
    N_("No fault of the job."),
    N_("Reseat or replace the fan or board if it matters; newer drivers read more."),
    "nvidia-smi -q"};

}  // namespace

RuleResult GpuSensorUnreadable(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (gpu.Look(FactId::kGpuUnreadable) == nullptr) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu, {FactId::kGpuUnreadable});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
