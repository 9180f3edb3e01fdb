#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult GpuFallenOffBus(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{"gpu.fallen-off-bus",
                               Severity::kCritical,
                               Confidence::kHigh,
                               N_("A GPU has fallen off the bus"),
                               N_("The driver lost the device: it no longer answers on PCIe."),
                               N_("Drain the node and restart it cold."),
                               N_("Power cycle the node; if it comes back, check power, riser and "
                                  "slot, then replace the board."),
                               "dmesg -T | grep -i xid"};
  return Stated(kClaim,
                SaidOf(facts, "smi.gpu-lost", {FactId::kSaidXidBus, FactId::kSaidFallenOffBus}));
}

}  // namespace gpuwhy
