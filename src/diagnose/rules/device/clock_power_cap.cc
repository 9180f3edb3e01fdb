#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "clock.power-cap";
constexpr Wording kWording = {
    N_("The GPU runs at its power limit"),
    N_("Its clocks are held so that it stays inside the power limit. It works as designed; this is "
       "what bounds it."),
    N_("Normal under full load. Judge the job by its step time."),
    N_("Raise the limit only if the board, its supply and its cooling allow it; else use less "
       "power per step (lower precision, fused kernels)."),
    "nvidia-smi -q -d POWER,PERFORMANCE"};
constexpr Wording kMoment = {
    N_("The GPU was at its power limit when it was looked at"),
    N_("At that moment its clocks were held so that it stays inside the power limit. One look "
       "can't tell for how long."),
    N_("Look for longer before concluding. Under full load it is normal; judge the job by its step "
       "time."),
    N_("If it stays so: raise the limit only if the board, its supply and its cooling allow it; "
       "else use less power per step (lower precision, fused kernels)."),
    "nvidia-smi dmon -s pc -c 30"};

}  // namespace

RuleResult ClockPowerCap(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!IsHeldByPower(gpu, policy.gpu)) continue;
    if (LogSaysStarved(facts)) {
      result.unknowns.push_back(MomentAgainstLog(kId));
      continue;
    }
    const bool one_moment = IsOneMoment(facts, gpu);
    Finding finding = DeviceFinding(kId, gpu.Of(), one_moment ? kMoment : kWording);
    finding.severity = Severity::kInfo;
    const Fact* series = SeriesLoad(facts, gpu);
    const Fact* load = series != nullptr ? series : gpu.Look(FactId::kGpuUtilization);
    SetBound(finding, facts, gpu, IsNumber(load) ? std::min(load->Number() / 100, 1.0) : 1.0,
             Confidence::kHigh);
    if (!gpu.PowerShare() || load == nullptr) finding.confidence = Confidence::kLow;
    CiteMoment(finding, gpu,
               {FactId::kGpuPower, FactId::kGpuPowerLimit, FactId::kGpuReasonPowerCap,
                FactId::kGpuUtilization, FactId::kGpuSmClock, FactId::kGpuMaxSmClock,
                FactId::kGpuTemperature});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
