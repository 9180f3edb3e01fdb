#include <string_view>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/software/job_variables.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {

namespace {

/// Settings of the watched job. What only concerns copies within the host means nothing to a job
/// that computes on one of its GPUs, and what only concerns the fabric nothing without one.
std::vector<const Fact*> SetByTheJob(const FactSet& facts) {
  struct Row {
    std::string_view name, off, too;  ///< values that turn it off
    bool fabric;
  };
  constexpr Row kRows[] = {{"NCCL_P2P_DISABLE", "1", "1", false},
                           {"NCCL_P2P_LEVEL", "0", "LOC", false},
                           {"NCCL_SHM_DISABLE", "1", "1", false},
                           {"NCCL_IB_DISABLE", "1", "1", true},
                           {"NCCL_NET_GDR_LEVEL", "0", "LOC", true}};
  const bool several = facts.job_gpus.size() != 1;
  const bool fabric = Has(facts, FactId::kPortActive);
  std::vector<const Fact*> found;
  for (const Row& row : kRows) {
    if (row.fabric ? !fabric : !several) continue;
    for (const JobVariable& variable : JobVariables(facts, row.name)) {
      if (variable.value == row.off || variable.value == row.too) found.push_back(variable.fact);
    }
  }
  return found;
}

}  // namespace

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
  std::vector<const Fact*> evidence = AllOf(facts, {FactId::kSaidNcclSetting});
  const std::vector<const Fact*> set = SetByTheJob(facts);
  evidence.insert(evidence.end(), set.begin(), set.end());
  RuleResult result = Stated(kClaim, evidence);
  if (!set.empty() && !facts.jobs.empty())
    result.findings.front().subject = facts.jobs.front().subject;
  return result;
}

}  // namespace gpuwhy
