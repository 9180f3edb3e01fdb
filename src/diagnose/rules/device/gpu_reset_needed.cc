#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

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
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidReset, FactId::kSaidGspTimeout}));
}

}  // namespace gpuwhy
