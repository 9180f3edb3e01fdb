#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "gpu.mig-slice";
constexpr Wording kWording = {
    N_("The GPU is cut into slices"),
    N_("What a job sees is a part of the GPU: its memory and its multiprocessors are those of the "
       "slice."),
    N_("Judge the job by its slice, not by the whole GPU. Utilization is not told for slices."),
    N_("Give the job a larger slice if it needs one."), "nvidia-smi mig -lgi"};

}  // namespace

RuleResult GpuMigSlice(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  Finding finding = DeviceFinding(kId, Subject{SubjectKind::kHost, ""}, kWording);
  finding.severity = Severity::kInfo;
  finding.confidence = Confidence::kHigh;
  CiteAll(finding, facts.All(FactId::kGpuMigSlices));
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (!gpu.IsOn(FactId::kGpuMigMode)) continue;
    if (finding.evidence.empty()) finding.subject = gpu.Of();
    CiteMoment(finding, gpu, {FactId::kGpuMigMode});
  }
  if (!finding.evidence.empty()) result.findings.push_back(std::move(finding));
  return result;
}

}  // namespace gpuwhy
