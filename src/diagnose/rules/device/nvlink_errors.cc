#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult NvlinkErrors(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "nvlink.errors",
      Severity::kCritical,
      Confidence::kHigh,
      N_("NVLink reported a fatal error"),
      N_("A link between GPUs or to a switch failed while in use; the jobs on it ended or hang."),
      N_("Drain the node and look at the links."),
      N_("nvidia-smi nvlink -s and -e name the link; reset all GPUs and switches of the system "
         "together; if it comes back, have board, baseboard or cable replaced."),
      "nvidia-smi nvlink -e"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidXidLink}));
}

}  // namespace gpuwhy
