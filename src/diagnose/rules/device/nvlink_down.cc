#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "nvlink.down";
constexpr Wording kWording = {
    N_("NVLinks are down"), N_("Some NVLinks of these GPUs are down while others are up."),
    N_("Drain the node if its sister nodes have them up."),
    N_("Reset the GPUs together, reseat bridges; look for Xid 74 in dmesg."),
    "nvidia-smi nvlink -s"};

}  // namespace

RuleResult NvlinkDown(const FactSet& facts, const Policy& /*policy*/) {
  const NvlinkCount count = CountNvlinks(facts);
  // One GPU alone has no peer; all down on all may be a board without bridges.
  if (count.gpus < 2 || count.inactive == 0 || count.active == 0) return {};
  // As many on each: links that the board has and the machine does not use, like 6 of 18 on an
  // H100 NVL, or those to GPUs that belong to another virtual machine.
  if (count.alike || LooksLikeAbsentPeer(count)) return {};
  Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
  finding.severity = Severity::kWarning;
  finding.confidence = Confidence::kMedium;
  CiteDownLinks(finding, facts);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
