#include <optional>
#include <utility>

#include "base/i18n.h"
#include "base/percent.h"
#include "diagnose/rules/trace/trace_rules.h"
#include "diagnose/rules/trace/trace_view.h"

namespace gpuwhy::traced {
namespace {

constexpr std::string_view kId = "step.compute-bound";

std::optional<Finding> Judge(TraceView& view, const Policy& policy) {
  const Fact* compute = view.Need(FactId::kStepCompute);
  if (compute == nullptr || compute->interval.low < policy.ranking.min_bound) return std::nullopt;
  Finding finding = view.Make(kId);
  finding.bound = compute->Number();
  CiteAll(finding, {compute, view.Look(FactId::kStepTime), view.Look(FactId::kStepIdle),
                    view.Look(FactId::kStepReformat)});
  finding.title = _("The step is bound by the device's computing");
  finding.meaning = Format(_("Kernels run for {} of the step. Input, copies and launches can give "
                             "back no more than the rest."),
                           PercentText(compute->Number()));
  finding.decision = _("Leave the host alone; look at the kernels that carry the step.");
  finding.fix =
      _("The trace lists them by time: lower precision, fused or newer kernels, a "
        "faster device.");
  return finding;
}

}  // namespace

RuleResult StepComputeBound(const FactSet& facts, const Policy& policy) {
  return ForTraces(facts, kId, [&](TraceView& view) { return Judge(view, policy); });
}

}  // namespace gpuwhy::traced
