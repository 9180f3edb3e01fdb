#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.inforom-corrupted";
constexpr Wording kWording = {N_("The infoROM of a GPU is corrupted"),
                              N_("The small memory of the board that keeps its serial number, "
                                 "settings and error history does not check."),
                              N_("Confirm it with a second run; the GPU still computes."),
                              N_("Open a case with the vendor; a firmware tool can rewrite it."),
                              "nvidia-smi"};

}  // namespace

RuleResult GpuInforomCorrupted(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const Fact* fact : facts.All(FactId::kToolMessage)) {
    if (fact->subject.id != "smi.inforom") continue;
    Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
    finding.severity = Severity::kWarning;
    finding.confidence = Confidence::kHigh;
    finding.evidence.push_back(Cite(*fact));
    result.findings.push_back(std::move(finding));
    break;
  }
  return result;
}

}  // namespace gpuwhy
