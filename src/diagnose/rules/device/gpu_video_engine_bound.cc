#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.video-engine-bound";
constexpr Wording kWording = {
    N_("A video engine of the GPU is the limit"),
    N_("The encoder or decoder is busy all the time while the multiprocessors have room."),
    N_("It works as designed; more kernels would not help."),
    N_("Spread streams over more GPUs or engines, or use a faster preset."),
    "nvidia-smi dmon -s u -c 30"};

}  // namespace

RuleResult GpuVideoEngineBound(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const Fact* engine = gpu.BusiestEngine();
    if (engine == nullptr || engine->Number() < policy.gpu.busy) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    SetBound(finding, facts, gpu, std::min(engine->Number() / 100, 1.0), Confidence::kHigh);
    CiteMoment(
        finding, gpu,
        {FactId::kGpuEncoder, FactId::kGpuDecoder, FactId::kGpuJpeg, FactId::kGpuOpticalFlow,
         FactId::kGpuUtilization, FactId::kGpuPower, FactId::kGpuPowerLimit, FactId::kGpuSmClock});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
