#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.missing-peer";
constexpr Wording kWording = {
    N_("A GPU is missing"),
    N_("The links that are down on several GPUs are together exactly those of one more GPU, which "
       "is not listed."),
    N_("Drain the node."), N_("Power cycle; check whether the bus sees the GPU; then replace it."),
    "nvidia-smi -L; lspci -d 10de:"};

}  // namespace

RuleResult GpuMissingPeer(const FactSet& facts, const Policy& /*policy*/) {
  const NvlinkCount count = CountNvlinks(facts);
  if (!LooksLikeAbsentPeer(count)) return {};
  Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
  finding.severity = Severity::kCritical;
  finding.confidence = Confidence::kMedium;
  CiteDownLinks(finding, facts);
  finding.evidence.front().expected =
      Format(_("0; the {} links that are down are as many as one GPU has"), count.inactive);
  return {{std::move(finding)}, {}};
}

}  // namespace gpuwhy
