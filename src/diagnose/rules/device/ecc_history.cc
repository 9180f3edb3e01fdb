#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "ecc.history";
constexpr Wording kWording = {
    N_("Memory errors in the past"),
    N_("The GPU had uncorrected memory errors in its life, none since the driver was loaded."),
    N_("No action now."), N_("Watch whether the count grows."), "nvidia-smi -q -d ECC"};

}  // namespace

RuleResult EccHistory(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    if (gpu.Number(FactId::kGpuEccVolatileUncorrected).value_or(0) > 0) continue;
    const double before = gpu.Number(FactId::kGpuEccAggregateUncorrected).value_or(0) +
                          gpu.Number(FactId::kGpuRetiredDouble).value_or(0) +
                          gpu.Number(FactId::kGpuRemapUncorrectable).value_or(0);
    if (before <= 0) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kInfo;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu,
               {FactId::kGpuEccAggregateUncorrected, FactId::kGpuEccVolatileUncorrected,
                FactId::kGpuRetiredDouble, FactId::kGpuRemapUncorrectable});
    result.findings.push_back(std::move(finding));
  }
  return result;
}

}  // namespace gpuwhy
