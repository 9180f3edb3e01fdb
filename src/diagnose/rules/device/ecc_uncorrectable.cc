#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "diagnose/rules/device/device_rules.h"
#include "diagnose/rules/device/gpu_moment.h"
#include "diagnose/rules/device/gpu_signs.h"
#include "diagnose/rules/rule_view.h"
#include "diagnose/rules/stated.h"

namespace gpuwhy {
namespace {

constexpr std::string_view kId = "ecc.uncorrectable";
constexpr Wording kWording = {N_("Memory errors that could not be corrected"),
                              N_("Since the driver was loaded the GPU read data that it could not "
                                 "correct. Results and processes may have been lost."),
                              N_("Drain the node and reset the GPU; replace it if they come back."),
                              N_("nvidia-smi -r -i GPU with nothing running, then a memory test."),
                              "nvidia-smi -q -d ECC"};

constexpr StatedClaim kStated{
    "ecc.uncorrectable",
    Severity::kCritical,
    Confidence::kHigh,
    N_("A GPU had an uncorrectable memory error"),
    N_("Data was lost on the device; the program that used it was ended."),
    N_("Drain the node and reset the GPU."),
    N_("Reset the GPU so that the row is remapped; if it comes back, return the board."),
    "nvidia-smi -q -d ECC,ROW_REMAPPER"};

}  // namespace

RuleResult EccUncorrectable(const FactSet& facts, const Policy& /*policy*/) {
  RuleResult result;
  for (const GpuMoment& gpu : GpuMoments(facts)) {
    const double now = gpu.Number(FactId::kGpuEccVolatileUncorrected).value_or(0);
    if (now <= 0) continue;
    Finding finding = DeviceFinding(kId, gpu.Of(), kWording);
    finding.severity = Severity::kCritical;
    finding.confidence = Confidence::kHigh;
    CiteMoment(finding, gpu,
               {FactId::kGpuEccVolatileUncorrected, FactId::kGpuEccAggregateUncorrected,
                FactId::kGpuRetiredDouble, FactId::kGpuRemapUncorrectable, FactId::kGpuRemapPending,
                FactId::kGpuRetiredPending});
    result.findings.push_back(std::move(finding));
  }
  AddStated(kStated, AllOf(facts, {FactId::kSaidXidMemory, FactId::kSaidEcc}), result);
  return result;
}

}  // namespace gpuwhy
