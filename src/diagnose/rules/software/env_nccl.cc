#include "base/i18n.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

RuleResult EnvNccl(const FactSet& facts, const Policy& /*policy*/) {
  constexpr StatedClaim kClaim{
      "env.nccl",
      Severity::kWarning,
      Confidence::kMedium,
      N_("A setting turns a fast path of NCCL off"),
      N_("Such settings are for hunting faults. Left in a job's script they make collectives take "
         "a slower way on every run."),
      N_("Take the setting out and compare the step time."),
      N_("Unset NCCL_P2P_DISABLE and NCCL_SHM_DISABLE in the job's script, its container and "
         "/etc/nccl.conf. If the job hangs without them, that is the fault to look for (IOMMU, "
         "ACS)."),
      "env | grep NCCL_; cat /etc/nccl.conf ~/.nccl.conf"};
  return Stated(kClaim, AllOf(facts, {FactId::kSaidNcclSetting}));
}

}  // namespace gpuwhy
