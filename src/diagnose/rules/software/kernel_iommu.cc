#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/software/software_rules.h"

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

}  // namespace

RuleResult KernelIommu(const FactSet& facts, const Policy& /*policy*/) {
  const std::vector<const Fact*> redirects = facts.All(FactId::kAcsRedirect);
  if (redirects.empty()) return {};
  Finding finding = DeviceFinding(kId, redirects.front()->subject, kWording);
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kMedium;
  for (const Fact* redirect : redirects) finding.evidence.push_back(Cite(*redirect, "ReqRedir-"));
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
