#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "nvlink.fabric-not-joined";
constexpr Wording kWording = {
    N_("The GPU did not join the NVLink fabric"),
    N_("Joining the fabric ended with an error; CUDA will not start on it."), N_("Drain the node."),
    N_("Restart nvidia-fabricmanager, then look at its log; a reboot if that does not help."),
    "nvidia-smi -q | grep -A4 Fabric"};

}  // namespace

RuleResult NvlinkFabricNotJoined(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const std::string status = gpu.Text(FactId::kGpuFabricStatus);
    const std::string state = gpu.Text(FactId::kGpuFabricState);
    const bool failed = !status.empty() && status != "Success";
    if (!failed || state.empty()) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu, {FactId::kGpuFabricStatus, FactId::kGpuFabricState});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
