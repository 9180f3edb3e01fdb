#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/software/software_rules.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "kernel.iommu";
constexpr Wording kWording = {
    N_("Traffic between GPUs is sent through the root"),
    N_("Access control (ACS) of a PCIe bridge redirects requests: copies between devices below it "
       "leave the bridge and come back."),
    N_("On bare metal turn it off; in a virtual machine it is needed."),
    N_("Disable ACS or the IOMMU in the firmware, or per bridge with setpci at boot."),
    "lspci -vvv | grep ACSCtl"};

/// On a watched host what matters is whether its GPUs talk over these bridges: not where NVLinks
/// join them, where a hypervisor needs the redirection, or where the job uses one GPU.
bool Matters(const FactSet& facts, const Fact& redirect) {
  if (redirect.provenance.reader != "sysfs") return true;
  const std::vector<const Fact*> links = NumbersOf(facts, FactId::kNvlinkActive);
  const bool joined =
      std::any_of(links.begin(), links.end(), [](const Fact* link) { return link->Number() > 0; });
  const bool several = facts.node_only || facts.job_gpus.size() > 1;
  return !joined && several && !Has(facts, FactId::kHostHypervisor);
}

}  // namespace

RuleResult KernelIommu(const FactSet& facts, const Policy& /*policy*/) {
  std::vector<const Fact*> redirects = facts.All(FactId::kAcsRedirect);
  std::erase_if(redirects, [&](const Fact* redirect) { return !Matters(facts, *redirect); });
  if (redirects.empty()) return {};
  Finding finding = DeviceFinding(kId, redirects.front()->subject, kWording);
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kMedium;
  for (const Fact* redirect : redirects) finding.evidence.push_back(Cite(*redirect, "ReqRedir-"));
  CiteAll(finding, AllOf(facts, {FactId::kHostIommu}));
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
