#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult ContainerGpuLost(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "container.gpu-lost",
      Severity::kCritical,
      Confidence::kHigh,
      N_("The running container lost access to its GPUs"),
      N_("The container's device rules were rewritten while it ran, mostly by systemctl "
         "daemon-reload. The GPU and the driver are fine."),
      N_("Restart the container; then make the access permanent."),
      N_("Restart the container. To keep it: hand the devices in with --device=/dev/nvidia0 and so "
         "on, use CDI, or let the runtime use cgroupfs; create the links with nvidia-ctk system "
         "create-dev-char-symlinks."),
      "docker exec CONTAINER nvidia-smi"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidNvmlUnknownError, FactId::kDeviceAccessLost}));
}

}  // namespace gpuwhy
