#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "pcie.slot-limited";
constexpr Wording kWording = {
    N_("The slot is slower than the card"),
    N_("The slot offers a lower PCIe generation than the card could use."),
    N_("A property of the machine. It matters only where copies to the GPU bound the job."),
    N_("Use another slot or board."), "lspci -vv -s BUS"};

/// The driver that the kernel names before a device's address; "pci" before it has one.
std::string_view DriverNamed(std::string_view line) {
  const std::size_t told = line.find(" available PCIe bandwidth");
  // "mlx5_core 0000:21:00.0: 63.008 Gb/s available ..."
  const std::size_t address = line.rfind(": ", told);
  if (address == std::string_view::npos) return {};
  const std::string_view before = line.substr(0, line.find_last_of(' ', address));
  return before.substr(before.find_last_of(" ]>") + 1);
}

bool MayBeGpu(std::string_view line) {
  const std::string_view driver = DriverNamed(line);
  return driver.empty() || driver == "pci" || driver == "nvidia" || driver.ends_with(':');
}

/// The kernel's own word at boot: "... available PCIe bandwidth, limited by ... (capable of ... x16
/// link)". It names no kind of device; GPUs and network adapters have 16 lanes, disks have not.
void Upstream(const FactSet& facts, RuleResult& result) {
  constexpr std::size_t kMost = 12;
  Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
  finding.severity = Severity::kInfo;
  finding.confidence = Confidence::kMedium;
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    const auto* line = fact->value ? std::get_if<std::string>(&*fact->value) : nullptr;
    if (fact->subject.id != "pci.limited" || line == nullptr) continue;
    const std::size_t able = line->find("(capable of");
    if (able == std::string::npos || line->find("x16", able) == std::string::npos) continue;
    if (!MayBeGpu(*line)) continue;
    if (finding.evidence.size() < kMost) finding.evidence.push_back(Cite(*fact));
  }
  if (!finding.evidence.empty()) result.findings.push_back(std::move(finding));
}

}  // namespace

RuleResult PcieSlotLimited(const FactSet& facts, const Policy& policy) {
  RuleResult result;
  const std::vector<GpuMoment> moments = GpuMoments(facts);
  for (const GpuMoment& gpu : moments) {
    const std::optional<double> card = gpu.Number(FactId::kGpuLinkGenDeviceMax);
    const std::optional<double> slot = gpu.Number(FactId::kGpuLinkGenHostMax);
    const bool slower = card && slot && *slot > 0 && *slot < *card;
    // Or a bridge on the way to the processor is the narrow one.
    const std::optional<double> way = gpu.Number(FactId::kGpuPathShare);
    const bool narrow_way = way && *way < policy.gpu.path_share;
    if (!slower && !narrow_way && !IsNarrowByDesign(gpu, moments)) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kMedium;
    CiteMoment(finding, gpu,
               {FactId::kGpuLinkGenDeviceMax, FactId::kGpuLinkGenHostMax, FactId::kGpuLinkGen,
                FactId::kGpuLinkWidth, FactId::kGpuLinkWidthMax, FactId::kGpuPathShare,
                FactId::kGpuPathNarrowest});
    result.findings.push_back(std::move(finding));
  }
  Upstream(facts, result);
  return result;
}

}  // namespace gpuwhy
