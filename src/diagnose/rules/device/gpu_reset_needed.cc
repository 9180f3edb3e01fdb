#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

namespace {

/// "GPU Reset", "Node Reboot", "Drain and Reset"; "None" and "Drain P2P" ask for no reset.
bool IsReset(const std::string& action) {
  return action.find("Reset") != std::string::npos || action.find("Reboot") != std::string::npos;
}

std::size_t UnreadableSensors(const GpuMoment& gpu) {
  // Readings of one sensor fail together.
  constexpr std::pair<FactId, FactId> kSensors[] = {
      {FactId::kGpuFan, FactId::kGpuFan},
      {FactId::kGpuTemperature, FactId::kGpuTemperature},
      {FactId::kGpuPower, FactId::kGpuPowerLimit},
      {FactId::kGpuPstate, FactId::kGpuSmClock},
      {FactId::kGpuUtilization, FactId::kGpuUtilization},
      {FactId::kGpuMemoryUsed, FactId::kGpuMemoryTotal}};
  std::size_t count = 0;
  for (const auto& [one, other] : kSensors) {
    if (gpu.IsUnreadable(one) || gpu.IsUnreadable(other)) ++count;
  }
  return count;
}

/// One sensor may be broken or never built in; several at once do not answer because the GPU does
/// not.
RuleResult Unanswered(const FactSet& facts) {
  constexpr std::size_t kSeveral = 2;
  constexpr Wording kWording = {
      N_("A GPU no longer answers"),
      N_("The driver could not read several of its sensors. A GPU that fell off the bus or whose "
         "firmware hangs looks like that."),
      N_("Drain the node; look for an Xid in the kernel log."),
      N_("End its users, then nvidia-smi --gpu-reset -i GPU or a reboot. If it comes back, have "
         "the board checked."),
      "dmesg -T | grep -i xid"};
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (UnreadableSensors(gpu) < kSeveral) continue;
    Finding finding = DeviceFinding("gpu.reset-needed", gpu.Of(), kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu, {FactId::kGpuUnreadable});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace

RuleResult GpuResetNeeded(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "gpu.reset-needed",
      Severity::kCritical,
      Confidence::kHigh,
      N_("A GPU wants a reset"),
      N_("Its firmware or a channel of it no longer answers the driver. Programs on it hang or "
         "fail until it is reset."),
      N_("Drain the node and reset the GPU."),
      N_("End its users, then nvidia-smi --gpu-reset -i GPU or a reboot. If it comes back, update "
         "driver and firmware, then have the board checked."),
      "dmesg -T | grep -i xid"};
  std::vector<const Fact*> evidence =
      SaidOf(facts, "smi.reset-required", {FactId::kSaidXidReset, FactId::kSaidGspTimeout});
  for (const Fact* fact : SaidOf(facts, "smi.no-handle", {})) evidence.push_back(fact);
  for (const Fact* fact : AllOf(facts, {FactId::kGpuRecoveryAction})) {
    const std::string* action = std::get_if<std::string>(&*fact->value);
    if (action != nullptr && IsReset(*action)) evidence.push_back(fact);
  }
  if (!evidence.empty()) return Stated(kClaim, evidence);
  return Unanswered(facts);
}

}  // namespace gpuwhy
