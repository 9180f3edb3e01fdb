#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "pcie.errors";
constexpr Wording kWording = {
    N_("The PCIe link of the GPU makes errors"),
    N_("Packets on its link are damaged and sent again, more of them than the specification "
       "allows. Each costs time, and a link that gets worse ends in a lost GPU."),
    N_("Watch whether they go on; have the slot looked at if they do."),
    N_("Reseat the card, its riser and cables; then try another slot."),
    "cat /sys/bus/pci/devices/BUS/aer_dev_correctable"};

constexpr StatedClaim kBroken{
    "pcie.errors",
    Severity::kCritical,
    Confidence::kHigh,
    N_("The PCIe link of a GPU lost data"),
    N_("The kernel reports errors of the GPU's link that resending could not mend: transfers "
       "failed, and the job on it may have ended."),
    N_("Drain the node and look at slot, riser and board."),
    N_("Reseat the board and its riser; if it comes back, have them replaced one by one."),
    "dmesg | grep -A4 'PCIe Bus Error'"};
constexpr StatedClaim kSomewhere{
    "pcie.errors",
    Severity::kWarning,
    Confidence::kMedium,
    N_("A PCIe link reports errors that were not corrected"),
    N_("Packets were lost. The device behind the link, by its address in the line, need not be a "
       "GPU."),
    N_("See which device the address belongs to, and whether it comes back."),
    N_("Reseat the card and check riser and slot; compare the counts of the links."),
    "dmesg -T | grep -i aer"};
constexpr StatedClaim kResending{
    "pcie.errors",
    Severity::kWarning,
    Confidence::kLow,
    N_("The PCIe link of a GPU resends damaged packets"),
    N_("The kernel reports errors of the GPU's link again and again. Each was mended by resending, "
       "which takes bandwidth."),
    N_("Watch whether their number grows under load."),
    N_("Reseat the board and its riser; a link that is set one generation lower is often clean."),
    "dmesg | grep -A4 'PCIe Bus Error'"};

// A link resends what it finds damaged; one or two in the time that a kernel log covers are no
// sign of a bad one. Own choice: no vendor names a number.
constexpr std::size_t kSeveral = 3;

/// Whose the kernel says that the link is, by the driver that it names before its words:
/// "nvidia 0000:3b:00.0: PCIe Bus Error", or with "AER: " between.
std::string_view DriverOf(std::string_view line) {
  std::string_view before = line.substr(0, line.find(": PCIe Bus Error"));
  if (before.ends_with(": AER")) before.remove_suffix(5);
  before = before.substr(0, before.find_last_of(' '));
  return before.substr(before.find_last_of(' ') + 1);
}

/// What the kernel log or another pasted output says of a link. Wrong when the log was read on
/// another host than the job's.
RuleResult Said(const FactSet& facts) {
  std::vector<const Fact*> broken;
  std::vector<const Fact*> resent;
  std::vector<const Fact*> lost;
  std::vector<const Fact*> corrected;
  for (const Fact* fact : AllOf(facts, {FactId::kSaidAerError})) {
    const std::string* text = std::get_if<std::string>(&*fact->value);
    if (text == nullptr) continue;
    const bool uncorrected = text->find("ncorrect") != std::string::npos;
    const bool names = text->find(": PCIe Bus Error") != std::string::npos;
    const std::string_view driver = names ? DriverOf(*text) : "pcieport";
    if (driver == "nvidia") (uncorrected ? broken : resent).push_back(fact);
    // Links of disks and of network cards are none of a GPU's; a port may lead to any.
    if (driver == "pcieport") (uncorrected ? lost : corrected).push_back(fact);
  }
  if (!broken.empty()) return Stated(kBroken, broken);
  RuleResult result = Stated(kSomewhere, lost);
  if (lost.empty() && resent.size() >= kSeveral) return Stated(kResending, resent);
  if (lost.empty() && resent.size() + corrected.size() > 0) {
    result.unknowns.push_back(
        {_("whether the PCIe link's errors come often enough to matter"),
         _("the link repaired them by sending again, which a few times an hour costs nothing"),
         _("count them over a minute under load: dmesg -T | grep -ci 'aer.*corrected'; and see "
           "which device the address is: lspci"),
         {"pcie.errors"}});
  }
  return result;
}

}  // namespace

RuleResult PcieErrors(const FactSet& facts, const Policy& policy) {
  RuleResult result = Said(facts);
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::optional<double> rate = gpu.Number(FactId::kGpuAerRate);
    if (!rate || *rate < policy.gpu.link_errors) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuAerRate, FactId::kGpuAerCorrected, FactId::kGpuAerUncorrected,
                FactId::kGpuPcieReplays, FactId::kGpuLinkGen, FactId::kGpuLinkWidth});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
