#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "precision.tf32-off";

std::optional<Finding> Judge(TraceView& view, const TracePolicy& policy) {
  const Fact* plain = view.Need(FactId::kStepPlainFp32);
  if (plain == nullptr || plain->interval.low < policy.share) return std::nullopt;
  Finding finding = view.Make(kId);
  finding.severity = Severity::kInfo;
  CiteAll(finding, {plain, view.Look(FactId::kStepCompute)});
  finding.title = _("FP32 products run without TF32 on a device that has it");
  finding.meaning = Format(_("{} of the step are matrix products and convolutions in FP32 on the "
                             "ordinary cores."),
                           PercentText(plain->Number()));
  finding.decision = _("Allow TF32 if the model bears a mantissa of 10 bits.");
  finding.fix = _("torch.set_float32_matmul_precision('high'), and compare the loss.");
  return finding;
}

}  // namespace

RuleResult PrecisionTf32Off(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy.trace); });
}

}  // namespace gpuwhy::traced
